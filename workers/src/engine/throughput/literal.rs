//! SQL literals. Statements with parameters are prepared, and sqlx waits for the result of each. Statements that are sent together have
//! their values in their text.

use std::fmt::Display;

use guildhall_common::platform::db;
use serde::Serialize;

/// A text as a literal. No character of it can end the literal: the connection has `standard_conforming_strings`.
fn text(value: &str) -> String {
    format!("'{}'", db::without_nul(value).replace('\'', "''"))
}

/// An array as a literal without a type. Each element is quoted, which all types accept.
pub(super) fn array<T: Display>(elements: impl IntoIterator<Item = T>) -> String {
    let quoted = elements
        .into_iter()
        .map(|element| format!("\"{}\"", element.to_string().replace('\\', r"\\").replace('"', "\\\"")));
    text(&format!("{{{}}}", quoted.collect::<Vec<_>>().join(",")))
}

/// A value as a literal that contains its JSON.
///
/// # Errors
/// The value cannot be written as JSON.
pub(super) fn json(value: &impl Serialize) -> sqlx::Result<String> {
    let json = serde_json::to_string(value).map_err(|error| sqlx::Error::Encode(error.into()))?;
    Ok(text(&json))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_character_ends_a_literal() {
        assert_eq!(text("it's; --\0"), "'it''s; --\u{fffd}'");
        assert_eq!(array(["a'b", r#"c"d"#, r"e\f", "g,h}"]), r#"'{"a''b","c\"d","e\\f","g,h}"}'"#);
        assert_eq!(array([1, 2]), r#"'{"1","2"}'"#);
        assert_eq!(array::<i64>([]), "'{}'");
        assert_eq!(json(&["it's"]).unwrap(), r#"'["it''s"]'"#);
    }
}
