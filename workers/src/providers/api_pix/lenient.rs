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
    enum Amount {
        Text(String),
        Number(Number),
    }
    Ok(match Amount::deserialize(from)? {
        Amount::Text(text) => text,
        Amount::Number(number) => number.to_string(),
    })
}
