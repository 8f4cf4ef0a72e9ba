//! Cursors: the places in lists where the next pages begin.
//!
//! A cursor is signed for its list, so a position is always one that this site has sent. Otherwise each query would have to accept
//! numbers and texts that clients have invented.

use std::sync::Arc;

use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD as BASE64};
use guildhall_common::{
    invalid_value::{InvalidValue, ValueFormat},
    text_types,
};
use hmac::{Hmac, KeyInit, Mac};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use sha2::Sha256;

use crate::http::problem::Problem;

text_types! {
    /// The place in a list after which the page begins: `next` of an earlier response. With it, page 1 is the first page after that place.
    Cursor { 1 ..= 1000, r"^[A-Za-z0-9_-]+$", "KsR0cFuSRQAiYW1iZXIgY2lyY2xlIg" }
}

/// The bytes of a signature. A guess is right once in 2^64 requests.
const SIGNATURE: usize = 8;

/// The keys of cursors. The first one signs, and all of them verify.
#[derive(Clone)]
pub(crate) struct CursorKeys(Arc<[[u8; 32]]>);

impl CursorKeys {
    /// The key that signs comes first.
    pub(crate) fn new(keys: impl Iterator<Item = [u8; 32]>) -> Self {
        Self(keys.collect())
    }

    /// The place in the list after the item with these sort keys.
    pub(crate) fn sign(&self, list: &str, position: &impl Serialize) -> Result<Cursor, Problem> {
        let json = serde_json::to_vec(position)
            .map_err(|error| Problem::internal("a cursor cannot be serialised", &error))?;
        let signature = mac(&self.0[0], list, &json).finalize().into_bytes();
        BASE64
            .encode([&signature[..SIGNATURE], &json].concat())
            .parse()
            .map_err(|error: InvalidValue| Problem::internal("a cursor is too long", &error))
    }

    /// The sort keys of the item before this place.
    ///
    /// # Errors
    /// 400 when this site has not sent the cursor for this list.
    pub(crate) fn verify<P: DeserializeOwned>(&self, list: &str, cursor: &Cursor) -> Result<P, Problem> {
        self.open(list, cursor).ok_or_else(|| {
            let detail = "is no cursor of this list: use `next` of one of its responses";
            Problem::invalid("after", InvalidValue::format(ValueFormat::Cursor, detail))
        })
    }

    fn open<P: DeserializeOwned>(&self, list: &str, cursor: &Cursor) -> Option<P> {
        let bytes = BASE64.decode(cursor.as_bytes()).ok()?;
        let (signature, json) = bytes.split_at_checked(SIGNATURE)?;
        let is_signed = |key| mac(key, list, json).verify_truncated_left(signature).is_ok();
        if self.0.iter().any(is_signed) { serde_json::from_slice(json).ok() } else { None }
    }
}

fn mac(key: &[u8; 32], list: &str, json: &[u8]) -> Hmac<Sha256> {
    let mac = Hmac::<Sha256>::new_from_slice(key).expect("HMAC takes keys of any length");
    // The address of a list has no null character.
    mac.chain_update(list).chain_update([0]).chain_update(json)
}

/// A name in lower case, as a sort key.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct NameKey(String);

impl NameKey {
    pub(crate) fn new(name: &str) -> Self {
        Self(name.to_ascii_lowercase())
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}

/// The names that start with a prefix, in the collation "C".
pub(crate) struct NameRange {
    /// The prefix in lower case. Empty selects all names.
    pub(crate) start: String,
    /// It follows every name with the prefix.
    pub(crate) end: String,
}

impl NameRange {
    pub(crate) fn starting_with(prefix: Option<String>) -> Self {
        let start = prefix.unwrap_or_default();
        Self { end: format!("{start}\u{7f}"), start }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    type Position = (NameKey, i64);

    fn keys(keys: &[u8]) -> CursorKeys {
        CursorKeys::new(keys.iter().map(|&key| [key; 32]))
    }

    fn position() -> Position {
        (NameKey::new("Night Watch"), 7)
    }

    #[test]
    fn a_cursor_returns_its_position_under_each_key() {
        let cursor = keys(&[1]).sign("/guilds?", &position()).unwrap();
        assert_eq!(keys(&[2, 1]).verify::<Position>("/guilds?", &cursor).unwrap(), position());
        assert!(keys(&[2]).verify::<Position>("/guilds?", &cursor).is_err());
    }

    #[test]
    fn a_cursor_is_valid_only_for_its_list() {
        let cursor = keys(&[1]).sign("/guilds?", &position()).unwrap();
        for list in ["/guilds?sort=members", "/guilds", "/news?"] {
            assert!(keys(&[1]).verify::<Position>(list, &cursor).is_err(), "{list}");
        }
    }

    #[test]
    fn other_texts_are_no_cursors() {
        let unsigned = BASE64.encode(r#"["night watch",7]"#);
        let signed = keys(&[1]).sign("/guilds?", &position()).unwrap();
        let mut changed = BASE64.decode(signed.as_bytes()).unwrap();
        *changed.last_mut().unwrap() ^= 1;
        for text in ["A", "AAAA", &unsigned, &BASE64.encode(changed)] {
            let cursor: Cursor = text.parse().unwrap();
            assert!(keys(&[1]).verify::<Position>("/guilds?", &cursor).is_err(), "{text}");
        }
    }
}
