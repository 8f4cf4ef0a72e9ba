//! A cached response body.

use bytes::Bytes;
use sha2::{Digest, Sha256};

/// A complete response body with its `ETag`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CachedBody {
    /// A strong tag without quotes: a hash of the body.
    pub etag: String,
    /// The header `Link`, if the body is a page of a list.
    pub link: Option<String>,
    pub body: Bytes,
}

impl CachedBody {
    #[must_use]
    pub fn new(body: Vec<u8>, link: Option<String>) -> Self {
        let digest = Sha256::digest(&body);
        let etag = hex::encode(&digest[..12]);
        Self { etag, link, body: body.into() }
    }

    /// The value of the header `ETag`.
    #[must_use]
    pub fn quoted_etag(&self) -> String {
        ["\"", &self.etag, "\""].concat()
    }

    /// The form in Redis: `etag SP link LF body`.
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let link = self.link.as_deref().unwrap_or_default();
        let mut bytes = format!("{} {link}\n", self.etag).into_bytes();
        bytes.extend_from_slice(&self.body);
        bytes
    }

    /// None if the cache has something else under the key.
    pub(super) fn from_bytes(bytes: Vec<u8>) -> Option<Self> {
        let end = bytes.iter().position(|byte| *byte == b'\n')?;
        let (etag, link) = std::str::from_utf8(&bytes[..end]).ok()?.split_once(' ')?;
        let (etag, link) = (etag.to_owned(), (!link.is_empty()).then(|| link.to_owned()));
        Some(Self { etag, link, body: Bytes::from(bytes).slice(end + 1..) })
    }
}

#[cfg(test)]
mod tests {
    use super::CachedBody;

    #[test]
    fn a_body_is_stored_with_its_link() {
        for link in [None, Some("</guilds/1/20>; rel=\"first\"".to_owned())] {
            let body = CachedBody::new(b"{\n}".to_vec(), link);
            assert_eq!(CachedBody::from_bytes(body.to_bytes()), Some(body));
        }
        assert_eq!(CachedBody::from_bytes(b"0123".to_vec()), None);
    }
}
