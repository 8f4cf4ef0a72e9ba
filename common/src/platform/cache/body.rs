//! A cached response body.

use bytes::Bytes;
use sha2::{Digest, Sha256};

/// A complete response body with its `ETag`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CachedBody {
    /// A strong tag without quotes: a hash of the body.
    pub etag: String,
    /// The number of items on all pages, if the body is a page of a list.
    pub total: Option<i64>,
    pub body: Bytes,
}

impl CachedBody {
    #[must_use]
    pub fn new(body: Vec<u8>, total: Option<i64>) -> Self {
        let digest = Sha256::digest(&body);
        let etag = hex::encode(&digest[..12]);
        Self { etag, total, body: body.into() }
    }

    /// The form in Redis: `etag SP total LF body`.
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let total = self.total.map(|total| total.to_string()).unwrap_or_default();
        let mut bytes = format!("{} {total}\n", self.etag).into_bytes();
        bytes.extend_from_slice(&self.body);
        bytes
    }

    pub(super) fn from_bytes(bytes: Vec<u8>) -> Option<Self> {
        let end = bytes.iter().position(|byte| *byte == b'\n')?;
        let (etag, total) = std::str::from_utf8(&bytes[..end]).ok()?.split_once(' ')?;
        let (etag, total) = (etag.to_owned(), total.parse().ok());
        Some(Self { etag, total, body: Bytes::from(bytes).slice(end + 1..) })
    }
}
