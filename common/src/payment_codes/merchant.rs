//! The texts about the merchant and the order in EMV payloads.

use unicode_normalization::UnicodeNormalization;

use super::{
    checks::{check_line, checked_texts},
    field_error::PayloadFieldError,
};

/// The longest merchant name of EMVCo MPM v1.1 (data object `59`).
const MAX_NAME: usize = 25;

/// The longest merchant city of EMVCo MPM v1.1 (data object `60`).
const MAX_CITY: usize = 15;

checked_texts! {
    /// The merchant name that the payer's app shows: 1 to 25 characters.
    MerchantName: check_line::<MAX_NAME>;
    /// The city of the merchant: 1 to 15 characters.
    MerchantCity: check_line::<MAX_CITY>;
    /// The number of an invoice or order: 1 to 25 characters.
    BillNumber: check_line::<25>;
    /// The reference of the payment: 1 to 25 characters.
    ReferenceLabel: check_line::<25>;
    /// The counter or terminal of the merchant: 1 to 25 characters.
    TerminalLabel: check_line::<25>;
    /// The purpose of the payment: 1 to 25 characters.
    Purpose: check_line::<25>;
}

impl MerchantName {
    /// Converts any name to ASCII and shortens it to 25 characters. `São João` becomes `Sao Joao`.
    ///
    /// # Errors
    /// The name has no character with an ASCII form.
    pub fn folded(text: &str) -> Result<Self, PayloadFieldError> {
        fold_to_ascii(text, MAX_NAME).parse()
    }
}

impl MerchantCity {
    /// Converts any city to ASCII and shortens it to 15 characters.
    ///
    /// # Errors
    /// The city has no character with an ASCII form.
    pub fn folded(text: &str) -> Result<Self, PayloadFieldError> {
        fold_to_ascii(text, MAX_CITY).parse()
    }
}

/// Decomposes letters (Unicode NFD), keeps printable ASCII, and cuts after `max` characters.
fn fold_to_ascii(text: &str, max: usize) -> String {
    let ascii: String = text.nfd().filter(|char| matches!(char, ' '..='~')).collect();
    let cut: String = ascii.trim().chars().take(max).collect();
    cut.trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::{MerchantCity, MerchantName, PayloadFieldError};

    #[test]
    fn folding_converts_to_ascii_and_cuts() {
        for (text, folded) in [
            ("Padaria São João & Irmãos Ltda", "Padaria Sao Joao & Irmaos"),
            ("  Ünïcode\n", "Unicode"),
            ("最佳 transport", "transport"),
            ("Café number twenty-five à gauche", "Cafe number twenty-five a"),
        ] {
            assert_eq!(MerchantName::folded(text).unwrap().as_str(), folded);
        }
        assert_eq!(MerchantCity::folded("São João del Rei").unwrap().as_str(), "Sao Joao del Re");
        assert_eq!(MerchantName::folded("最佳"), Err(PayloadFieldError::Length { min: 1, max: 25 }));
    }

    #[test]
    fn a_name_is_one_line_of_limited_length() {
        assert!("é".repeat(25).parse::<MerchantName>().is_ok());
        for invalid in ["", "é".repeat(26).as_str(), "a\nb", "a\u{0}"] {
            assert!(invalid.parse::<MerchantName>().is_err(), "{invalid:?}");
        }
    }
}
