//! Forms of JSON that banks send beside those of the standard.

use serde::{Deserialize, Deserializer};
use serde_json::Number;

/// A list, or `null` for an empty one.
pub(super) fn list<'de, D: Deserializer<'de>, T: Deserialize<'de>>(from: D) -> Result<Vec<T>, D::Error> {
    Ok(Option::deserialize(from)?.unwrap_or_default())
}

/// An amount: a text, or a number.
pub(super) fn amount<'de, D: Deserializer<'de>>(from: D) -> Result<String, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged, expecting = "a text or a number")]
    enum TextOrNumber {
        Text(String),
        Number(Number),
    }
    Ok(match TextOrNumber::deserialize(from)? {
        TextOrNumber::Text(text) => text,
        TextOrNumber::Number(number) => number.to_string(),
    })
}
