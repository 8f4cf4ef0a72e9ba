//! Texts that people can read. Commands of 0.3.0 in a queue may have others, so the api checks the texts of requests, and no type does.

use std::sync::LazyLock;

use regex::Regex;

use crate::invalid_value::{FieldErrorCode, InvalidValue};

/// A character that people can see. The last one is a Braille pattern without dots.
static VISIBLE: LazyLock<Regex> = LazyLock::new(|| {
    let invisible = r"\p{Z}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\x{2800}";
    Regex::new(&format!("[^{invisible}]")).expect("a valid pattern")
});

/// A code point that Unicode excludes from texts for others. HTML calls it an error, and XML forbids some of them.
static NONCHARACTER: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"\p{Noncharacter_Code_Point}").expect("a valid pattern"));

/// Checks a text. An empty one is readable.
///
/// # Errors
/// It has nothing that people can see, or a noncharacter.
pub fn check(text: &str) -> Result<(), InvalidValue> {
    let invalid = |detail| Err(InvalidValue::new(FieldErrorCode::InvalidFormat, detail));
    if !text.is_ascii() && NONCHARACTER.is_match(text) {
        return invalid("must not have noncharacters such as U+FFFF");
    }
    if !text.is_empty() && !VISIBLE.is_match(text) {
        return invalid("must have a visible character");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_must_have_a_visible_character() {
        for text in ["", "a", " a ", "é", "\u{301}", "漢", "🐉", "\u{200d}a", "-", "\u{e000}"] {
            assert_eq!(check(text), Ok(()), "{text:?}");
        }
        for invisible in [
            " ",
            "\t\n",
            "\u{a0}",
            "\u{ad}",
            "\u{200b}",
            "\u{2028}",
            "\u{2060}",
            "\u{2800}",
            "\u{3000}",
            "\u{3164}",
            "\u{fe0f}",
            "\u{feff}",
            "\u{e0020}",
            "\u{200b} \u{2800}",
        ] {
            assert!(check(invisible).is_err(), "{invisible:?}");
        }
    }

    #[test]
    fn text_must_have_no_noncharacter() {
        for text in ["a\u{ffff}", "a\u{fffe}", "a\u{fdd0}", "a\u{1ffff}", "a\u{10fffe}"] {
            assert!(check(text).is_err(), "{text:?}");
        }
        assert_eq!(check("a\u{fffd}"), Ok(()));
    }
}
