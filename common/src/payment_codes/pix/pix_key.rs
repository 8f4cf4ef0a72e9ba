//! Pix keys: the payee of a code.
//!
//! Sources: Banco Central do Brasil, manual of standards for Pix initiation, on keys in a BR Code;
//! Receita Federal, the check digits of CPF and CNPJ, including the CNPJ with letters (from July 2026).

use std::{fmt, str::FromStr};

use serde::Serialize;
use uuid::Uuid;

use crate::payment_codes::{
    checks::{check_format, check_length, checked_texts, is_digits, is_digits_and_capitals, is_email},
    field_error::PayloadFieldError,
};

/// A key of one of the five kinds. The format of the text determines the kind. In JSON the kind and
/// the text: `{"cpf": "…"}`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum PixKey {
    Cpf(Cpf),
    Cnpj(Cnpj),
    Phone(PhoneKey),
    Email(EmailKey),
    Evp(Evp),
}

checked_texts! {
    /// The tax number of a person: 11 digits. The last two are check digits.
    Cpf: check_cpf;
    /// The tax number of a company: 12 digits or capital letters, then two check digits.
    Cnpj: check_cnpj;
    /// A phone number with `+55`, area code and number: `+5511943214321`.
    PhoneKey: check_phone;
    /// An e-mail address in lower case: 3 to 77 characters.
    EmailKey: check_email;
    /// A random key: a UUID in lower case with hyphens.
    Evp: check_evp;
}

impl PixKey {
    #[must_use]
    pub fn as_str(&self) -> &str {
        match self {
            Self::Cpf(key) => key.as_str(),
            Self::Cnpj(key) => key.as_str(),
            Self::Phone(key) => key.as_str(),
            Self::Email(key) => key.as_str(),
            Self::Evp(key) => key.as_str(),
        }
    }
}

impl FromStr for PixKey {
    type Err = PayloadFieldError;

    fn from_str(text: &str) -> Result<Self, PayloadFieldError> {
        if text.contains('@') {
            return text.parse().map(Self::Email);
        }
        if text.starts_with('+') {
            return text.parse().map(Self::Phone);
        }
        match text.len() {
            11 => text.parse().map(Self::Cpf),
            14 => text.parse().map(Self::Cnpj),
            36 => text.parse().map(Self::Evp),
            _ => Err(PayloadFieldError::Format("a Pix key: CPF, CNPJ, phone number, e-mail address or EVP")),
        }
    }
}

impl fmt::Display for PixKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

fn check_cpf(text: &str) -> Result<(), PayloadFieldError> {
    check_format(is_digits(text, 11..=11), "11 digits")?;
    check_check_digits(text, 11)
}

fn check_cnpj(text: &str) -> Result<(), PayloadFieldError> {
    let is_valid = text.len() == 14
        && text.split_at_checked(12).is_some_and(|(number, check_digits)| {
            is_digits_and_capitals(number) && is_digits(check_digits, 2..=2)
        });
    check_format(is_valid, "12 digits or capital letters, then 2 digits")?;
    check_check_digits(text, 9)
}

/// Checks the last two characters, the check digits of CPF and CNPJ.
///
/// Each check digit is a weighted sum modulo 11. The weights are 2, 3 … from the right, up to
/// `max_weight`, then from 2 again. The value of a letter is its distance from `0` in ASCII.
/// Numbers of one repeated digit match this sum, but are never issued.
fn check_check_digits(text: &str, max_weight: u32) -> Result<(), PayloadFieldError> {
    let matches = |end: usize| {
        let weights = (2..=max_weight).cycle();
        let values = text.as_bytes()[..end].iter().rev().map(|byte| u32::from(byte - b'0'));
        let rest = values.zip(weights).map(|(value, weight)| value * weight).sum::<u32>() % 11;
        let check_digit = if rest < 2 { 0 } else { 11 - rest };
        u32::from(text.as_bytes()[end] - b'0') == check_digit
    };
    let is_repeated = text.bytes().all(|byte| byte == text.as_bytes()[0]);
    let is_valid = matches(text.len() - 2) && matches(text.len() - 1) && !is_repeated;
    if is_valid { Ok(()) } else { Err(PayloadFieldError::CheckDigits) }
}

fn check_phone(text: &str) -> Result<(), PayloadFieldError> {
    let is_valid = text.strip_prefix("+55").is_some_and(|rest| is_digits(rest, 10..=11));
    check_format(is_valid, "+55 and 10 or 11 digits")
}

fn check_email(text: &str) -> Result<(), PayloadFieldError> {
    check_length(text, 3, 77)?;
    let is_lower_case = !text.contains(|char: char| char.is_ascii_uppercase());
    check_format(is_lower_case && is_email(text), "an e-mail address in lower case")
}

fn check_evp(text: &str) -> Result<(), PayloadFieldError> {
    // The parser also accepts capitals and other formats of a UUID.
    let is_valid = Uuid::try_parse(text).is_ok_and(|uuid| uuid.hyphenated().to_string() == text);
    check_format(is_valid, "a UUID in lower case")
}

#[cfg(test)]
mod tests {
    use super::{PayloadFieldError, PixKey};

    #[test]
    fn the_format_determines_the_kind_of_key() {
        for (text, kind) in [
            ("52998224725", "cpf"),
            ("12345678909", "cpf"),
            ("00038166000105", "cnpj"),
            // The example of Receita Federal for a CNPJ with letters.
            ("12ABC34501DE35", "cnpj"),
            ("+5511943214321", "phone"),
            ("+551143214321", "phone"),
            ("arya@stark.com", "email"),
            ("123e4567-e12b-12d1-a456-426655440000", "evp"),
        ] {
            let key = text.parse::<PixKey>().unwrap();
            assert_eq!(serde_json::to_value(&key).unwrap(), serde_json::json!({ kind: text }));
        }
    }

    #[test]
    fn other_texts_are_not_keys() {
        for invalid in [
            "",
            "5299822472",
            "1199999-999",
            "12abc34501de35",
            "12ABC34501DE3A",
            "+5411943214321",
            "+55119432143212",
            "Arya@stark.com",
            "a@b@c",
            "@b",
            "a @b",
            "123E4567-E12B-12D1-A456-426655440000",
            "123e4567e12b12d1a456426655440000aaaa",
            "ééééééé",
        ] {
            assert!(
                matches!(
                    invalid.parse::<PixKey>(),
                    Err(PayloadFieldError::Format(_) | PayloadFieldError::Length { .. })
                ),
                "{invalid}"
            );
        }
        assert!(format!("{}@b", "a".repeat(76)).parse::<PixKey>().is_err());
    }

    #[test]
    fn check_digits_detect_a_wrong_character() {
        for invalid in [
            "52998224726",
            "52998224735",
            "11111111111",
            "00038166000106",
            "12ABC34501DE36",
            "12ABD34501DE35",
            "00000000000000",
        ] {
            assert_eq!(invalid.parse::<PixKey>(), Err(PayloadFieldError::CheckDigits), "{invalid}");
        }
    }
}
