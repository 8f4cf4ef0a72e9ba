//! The form in which passwords are compared: the profile `OpaqueString` of RFC 8265.

use unicode_normalization::UnicodeNormalization;

/// The password with ASCII spaces only, and with composed characters (NFC). Machines of other makers send the same keys as other code
/// points.
#[must_use]
pub fn opaque_string(password: &str) -> String {
    // The spaces of Unicode (Zs).
    let is_space = |char| {
        matches!(char, '\u{a0}' | '\u{1680}' | '\u{2000}'..='\u{200a}' | '\u{202f}' | '\u{205f}' | '\u{3000}')
    };
    password.chars().map(|char| if is_space(char) { ' ' } else { char }).nfc().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn same_keys_give_the_same_password() {
        for (typed, expected) in [
            ("correct horse", "correct horse"),
            ("cafe\u{301} au lait", "caf\u{e9} au lait"),
            ("caf\u{e9}\u{a0}au\u{3000}lait", "caf\u{e9} au lait"),
            ("\u{2126}hm", "\u{3a9}hm"),
            ("\u{ff21}bc Case", "\u{ff21}bc Case"),
        ] {
            assert_eq!(opaque_string(typed), expected);
        }
    }
}
