//! A property of all serialised values.

use std::fmt::Debug;

use serde::{Serialize, de::DeserializeOwned};

/// Requires that a value is the same after it is written to JSON and read again.
pub(crate) fn check_json_round_trip<T: Debug + Serialize + DeserializeOwned>(value: &T) {
    let json = serde_json::to_string(value).expect("a parsed value can be written");
    let parsed: T = serde_json::from_str(&json).expect("a written value can be parsed");
    assert_eq!(format!("{parsed:?}"), format!("{value:?}"));
    assert_eq!(serde_json::to_string(&parsed).expect("a parsed value can be written again"), json);
}
