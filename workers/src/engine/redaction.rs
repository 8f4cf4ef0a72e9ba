//! Redaction of messages: what people may read of a message that could not be processed.

use chrono::DateTime;
use serde_json::{Map, Value};
use uuid::Uuid;

/// What stands in place of a redacted text.
const REDACTED: &str = "…";

/// The shortest text that is redacted in a reason. Shorter ones are no secrets, and occur in other words.
const SHORTEST_QUOTE: usize = 3;

/// The longest number that is kept, in digits. Ids, versions and prices are shorter; telephone and tax numbers are longer.
const LONGEST_NUMBER: usize = 9;

/// A message and the reason of its failure, without texts of people and without secrets.
pub(crate) struct Redacted {
    /// The message as JSON with its names, ids, times and short numbers, or its size if it is no JSON.
    pub(crate) message: String,
    pub(crate) reason: String,
}

/// Redacts a message, and its quotes in the reason.
pub(crate) fn redact(body: &[u8], reason: &str) -> Redacted {
    let Ok(message) = serde_json::from_slice::<Value>(body) else {
        let message = format!("{} bytes that are no JSON", body.len());
        return Redacted { message, reason: without_quotes(reason) };
    };
    let mut texts = vec![];
    let command = message.pointer("/command/name").and_then(Value::as_str).filter(|name| is_name(name, "_."));
    let command = command.map(ToOwned::to_owned);
    let mut message = redact_value(message, &mut texts);
    if let (Some(name), Some(command)) = (message.pointer_mut("/command/name"), command) {
        texts.retain(|text| *text != command);
        *name = command.into();
    }
    // A text may be part of a longer one.
    texts.sort_by_key(|text| std::cmp::Reverse(text.len()));
    let reason = texts.iter().fold(reason.to_owned(), |reason, text| {
        let escaped = format!("{text:?}");
        replace_word(&replace_word(&reason, &escaped[1..escaped.len() - 1]), text)
    });
    Redacted { message: format!("{message:#}"), reason }
}

/// Redacts a value. It adds each removed text to the list of texts.
fn redact_value(value: Value, texts: &mut Vec<String>) -> Value {
    match value {
        Value::Null | Value::Bool(_) => value,
        Value::Number(number) if number.to_string().len() <= LONGEST_NUMBER => Value::Number(number),
        Value::Number(number) => redact_text(number.to_string(), texts),
        Value::String(text) if is_id_or_time(&text) => Value::String(text),
        Value::String(text) => redact_text(text, texts),
        Value::Array(items) => items.into_iter().map(|item| redact_value(item, texts)).collect(),
        Value::Object(fields) => {
            let fields = fields.into_iter().map(|(name, value)| {
                let value = redact_value(value, texts);
                if is_name(&name, "_") {
                    return (name, value);
                }
                redact_text(name, texts);
                (REDACTED.to_owned(), value)
            });
            Value::Object(fields.collect::<Map<_, _>>())
        }
    }
}

fn redact_text(text: String, texts: &mut Vec<String>) -> Value {
    if text.len() >= SHORTEST_QUOTE {
        texts.push(text);
    }
    REDACTED.into()
}

/// Whether it is a name that a programmer chose, of letters and these other characters.
fn is_name(text: &str, others: &str) -> bool {
    text.len() <= 40 && text.chars().all(|c| c.is_ascii_alphabetic() || others.contains(c))
}

fn is_id_or_time(text: &str) -> bool {
    text.len() == 36 && Uuid::parse_str(text).is_ok() || DateTime::parse_from_rfc3339(text).is_ok()
}

/// Replaces a text where it is not part of a longer word.
fn replace_word(reason: &str, text: &str) -> String {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let (mut replaced, mut rest) = (String::new(), reason);
    while let Some(start) = rest.find(text) {
        let (before, after) = (&rest[..start], &rest[start + text.len()..]);
        let previous = before.chars().next_back().or_else(|| replaced.chars().next_back());
        let is_word = !previous.is_some_and(is_part) && !after.starts_with(is_part);
        replaced += before;
        replaced += if is_word { REDACTED } else { text };
        rest = after;
    }
    replaced + rest
}

/// Removes what stands in quotation marks. A reason about a message that is no JSON may quote any part of it.
pub(crate) fn without_quotes(reason: &str) -> String {
    let parts = reason.split(['"', '`']).enumerate();
    parts.map(|(index, part)| if index % 2 == 0 { part } else { REDACTED }).collect()
}

#[cfg(test)]
mod tests {
    use super::redact;

    #[test]
    fn texts_and_secrets_are_redacted_and_the_shape_stays() {
        let body = br#"{"version":1,"operation_id":"0192f0c1-2a3b-7c4d-8e5f-60718293a4b5","actor":{"account":3},
            "command":{"name":"account.register","body":{"name":"mira","email":"mira@example.org","cpf":12345678909,
            "password_hash":"$argon2id$v=19$x","mira@example.org":1}}}"#;
        let redacted =
            redact(body, r#"invalid type: string "mira@example.org", expected 12345678909 of mira_x mira"#);
        for text in ["mira", "argon2id", "12345678909"] {
            assert!(!redacted.message.contains(text), "{text}: {}", redacted.message);
        }
        for text in ["0192f0c1-2a3b", "account.register", "password_hash", "\"account\": 3"] {
            assert!(redacted.message.contains(text), "{text}: {}", redacted.message);
        }
        assert_eq!(redacted.reason, r#"invalid type: string "…", expected … of mira_x …"#);
    }

    #[test]
    fn message_that_is_no_json_is_reduced_to_its_size() {
        let redacted = redact(b"mira@example.org", r#"invalid type: string "mira@example.org" at column 1"#);
        assert_eq!(redacted.message, "16 bytes that are no JSON");
        assert_eq!(redacted.reason, "invalid type: string … at column 1");
    }
}
