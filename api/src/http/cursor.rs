//! Cursors: the places in lists where the next pages begin.

use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD as BASE64};
use guildhall_common::text_types;
use serde::{Deserialize, Serialize, de::DeserializeOwned};

use crate::http::problem::Problem;

text_types! {
    /// The place in a list after which the page begins: `next` of an earlier response. With it, page 1 is the first page after that place.
    Cursor { 1 ..= 1000, r"^[A-Za-z0-9_-]+$", "Im5pZ2h0IHdhdGNoIg" }
}

impl Cursor {
    /// The place after the item with these sort keys.
    pub(crate) fn after(position: &impl Serialize) -> Result<Self, Problem> {
        let json = serde_json::to_vec(position)
            .map_err(|error| Problem::internal("a cursor cannot be serialised", &error))?;
        BASE64.encode(json).parse().map_err(|error: String| Problem::internal("a cursor is too long", &error))
    }

    /// The sort keys of the item before this place.
    ///
    /// # Errors
    /// 400 when it is not a cursor of the list.
    pub(crate) fn position<P: DeserializeOwned>(&self) -> Result<P, Problem> {
        let json = BASE64.decode(self.as_bytes()).ok();
        json.and_then(|json| serde_json::from_slice(&json).ok()).ok_or_else(|| {
            Problem::invalid("after", "is no cursor of this list: use `next` of one of its responses")
        })
    }
}

/// A name in lower case, as a sort key.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String")]
pub(crate) struct NameKey(String);

impl NameKey {
    pub(crate) fn new(name: &str) -> Self {
        Self(name.to_ascii_lowercase())
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}

impl TryFrom<String> for NameKey {
    type Error = &'static str;

    fn try_from(name: String) -> Result<Self, Self::Error> {
        // Postgres has no texts with this character.
        if name.contains('\0') { Err("contains a null character") } else { Ok(Self(name)) }
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

    #[test]
    fn a_cursor_returns_its_position() {
        let cursor = Cursor::after(&(NameKey::new("Night Watch"), 7)).unwrap();
        assert_eq!(cursor.position::<(NameKey, i64)>().unwrap(), (NameKey("night watch".to_owned()), 7));
    }

    #[test]
    fn other_texts_are_no_cursors() {
        let of_another_list = Cursor::after(&(7, "x")).unwrap().to_string();
        let with_null = Cursor::after(&("\0", 7)).unwrap().to_string();
        for text in ["A", "AAAA", &of_another_list, &with_null] {
            let cursor: Cursor = text.parse().unwrap();
            assert!(cursor.position::<(NameKey, i64)>().is_err(), "{text}");
        }
    }
}
