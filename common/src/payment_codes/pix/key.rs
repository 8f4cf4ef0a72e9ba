//! Pix keys: who is paid.
//!
//! Sources: the central bank's manual of standards for starting a Pix, on keys in a BR Code;
//! for check digits the tax office's rules, those for CNPJ with letters (from July 2026) included.

use std::{fmt, str::FromStr};

use serde::Serialize;

use crate::payment_codes::field::{FieldError, checked_texts, digits, form, is_email, length};

/// A key of one of the five kinds, told apart by its shape; in JSON by name: `{"cpf": "…"}`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum PixKey {
    Cpf(Cpf),
    Cnpj(Cnpj),
    Phone(Phone),
    Email(Email),
    Evp(Evp),
}

checked_texts! {
    /// A person's tax number: 11 digits, the last two of them check digits.
    Cpf: cpf;
    /// A company's tax number: 14 characters, the last two of them check digits. The others
    /// are digits or capital letters.
    Cnpj: cnpj;
    /// `+55`, area, number: `+5511943214321`.
    Phone: phone;
    /// At most 77 characters, lower case.
    Email: email;
    /// A random key: a UUID in lower case.
    Evp: evp;
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
    type Err = FieldError;

    fn from_str(text: &str) -> Result<Self, FieldError> {
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
            _ => Err(FieldError::Form("a Pix key: CPF, CNPJ, phone, e-mail or EVP")),
        }
    }
}

impl fmt::Display for PixKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

fn cpf(text: &str) -> Result<(), FieldError> {
    form(digits(text, 11..=11), "11 digits")?;
    check_digits(text, 11)
}

fn cnpj(text: &str) -> Result<(), FieldError> {
    let shaped = text.len() == 14
        && text.is_char_boundary(12)
        && text[..12].bytes().all(|byte| byte.is_ascii_digit() || byte.is_ascii_uppercase())
        && digits(&text[12..], 2..=2);
    form(shaped, "12 digits or capital letters, then 2 digits")?;
    check_digits(text, 9)
}

/// Both numbers weigh their characters, from the right, with 2, 3 and so on up to `heaviest` and
/// then from 2 again; a letter counts as its distance from `0` in ASCII. One digit repeated
/// fits that sum, but is given to nobody.
fn check_digits(text: &str, heaviest: u32) -> Result<(), FieldError> {
    let fits = |end: usize| {
        let weights = (2..=heaviest).cycle();
        let values = text.as_bytes()[..end].iter().rev().map(|byte| u32::from(byte - b'0'));
        let rest = values.zip(weights).map(|(value, weight)| value * weight).sum::<u32>() % 11;
        let digit = if rest < 2 { 0 } else { 11 - rest };
        u32::from(text.as_bytes()[end] - b'0') == digit
    };
    let repeated = text.bytes().all(|byte| byte == text.as_bytes()[0]);
    let count = text.len();
    if fits(count - 2) && fits(count - 1) && !repeated { Ok(()) } else { Err(FieldError::CheckDigits) }
}

fn phone(text: &str) -> Result<(), FieldError> {
    let shaped = text.strip_prefix("+55").is_some_and(|rest| digits(rest, 10..=11));
    form(shaped, "+55 and 10 or 11 digits")
}

fn email(text: &str) -> Result<(), FieldError> {
    length(text, 3, 77)?;
    let lower = !text.contains(|char: char| char.is_ascii_uppercase());
    form(lower && is_email(text), "an e-mail address in lower case")
}

fn evp(text: &str) -> Result<(), FieldError> {
    let hex = |part: &str| part.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    let parts: Vec<&str> = text.split('-').collect();
    let shaped =
        parts.iter().map(|part| part.len()).eq([8, 4, 4, 4, 12]) && parts.iter().all(|part| hex(part));
    form(shaped, "a UUID in lower case")
}

#[cfg(test)]
mod tests {
    use super::{FieldError, PixKey};

    #[test]
    fn keys_are_told_apart() {
        for (text, kind) in [
            ("52998224725", "cpf"),
            ("12345678909", "cpf"),
            ("00038166000105", "cnpj"),
            // The tax office's own example of a CNPJ with letters.
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
    fn other_texts_are_no_keys() {
        for bad in [
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
                matches!(bad.parse::<PixKey>(), Err(FieldError::Form(_) | FieldError::Length { .. })),
                "{bad}"
            );
        }
        assert!(format!("{}@b", "a".repeat(76)).parse::<PixKey>().is_err());
    }

    #[test]
    fn check_digits_catch_a_slip() {
        for bad in [
            "52998224726",
            "52998224735",
            "11111111111",
            "00038166000106",
            "12ABC34501DE36",
            "12ABD34501DE35",
            "00000000000000",
        ] {
            assert_eq!(bad.parse::<PixKey>(), Err(FieldError::CheckDigits), "{bad}");
        }
    }
}
