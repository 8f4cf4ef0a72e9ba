//! SEPA credit transfers: the lines of EPC069-12.
//!
//! Source: European Payments Council, EPC069-12, Quick Response Code: Guidelines to Enable Data
//! Capture for the Initiation of a SEPA Credit Transfer, version 2.1.

mod account;

use serde::Serialize;

pub use self::account::{Bic, CreditorReference, Iban};
use super::{
    Amount, FieldError, PayloadError,
    field::{checked_texts, form, length, line},
};
use crate::money::Currency;

/// What a QR code of version 13 holds at error correction level M.
const MAX_BYTES: usize = 331;

/// Of all the lines; each is found by its number.
const LINES: usize = 12;

/// EPC069-12: 0.01 to 999999999.99 euro.
const MAX_CENTS: i64 = 99_999_999_999;

/// A transfer for the payer to confirm.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Transfer {
    pub bank: Bank,
    pub name: BeneficiaryName,
    pub iban: Iban,
    /// None: the payer types it.
    pub amount: Option<Amount>,
    pub purpose: Option<PurposeCode>,
    pub remittance: Option<Remittance>,
    /// For the payer to read.
    pub information: Option<Information>,
    pub character_set: CharacterSet,
}

/// The version of the format, and what it knows of the beneficiary's bank: `001` must name it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "version", content = "bic")]
pub enum Bank {
    #[serde(rename = "001")]
    Version1(Bic),
    /// Banks outside the European Economic Area still want to be named.
    #[serde(rename = "002")]
    Version2(Option<Bic>),
}

/// What comes with the money: a reference for programs or a text for people, never both.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Remittance {
    Reference(CreditorReference),
    Text(RemittanceText),
}

/// How the payload's bytes stood for characters where it was read, 1 to 8; ours are UTF-8.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct CharacterSet(u8);

impl CharacterSet {
    pub const UTF_8: Self = Self(1);
}

checked_texts! {
    /// 1 to 70 characters.
    BeneficiaryName: line::<70>;
    /// What the payment is for, by ISO 20022: 1 to 4 capital letters and digits.
    PurposeCode: purpose;
    /// 1 to 140 characters.
    RemittanceText: line::<140>;
    /// 1 to 70 characters.
    Information: line::<70>;
}

impl Transfer {
    /// Takes LF or CR LF between the lines, and empty lines at the end.
    ///
    /// # Errors
    /// A line breaks its rule, or the whole is too large.
    pub fn parse(text: &str) -> Result<Self, PayloadError> {
        let text = text.trim_end_matches(['\r', '\n']);
        let lines: Vec<&str> = text.split('\n').collect();
        let line = |number: usize| {
            let line = lines.get(number - 1).copied().unwrap_or_default();
            line.strip_suffix('\r').unwrap_or(line)
        };
        let fixed = |number, value| form(line(number) == value, value).map_err(|error| error.in_line(number));
        fixed(1, "BCD")?;
        fixed(4, "SCT")?;
        let character_set = character_set(line(3)).map_err(|error| error.in_line(3))?;
        if lines.len() > LINES || character_set.bytes(text) > MAX_BYTES {
            return Err(PayloadError::EpcSize);
        }
        let bank = match line(2) {
            "001" => Bank::Version1(required(line(5), 5)?),
            "002" => Bank::Version2(optional(line(5), 5)?),
            _ => return Err(FieldError::Form("001 or 002").in_line(2)),
        };
        Ok(Self {
            bank,
            name: required(line(6), 6)?,
            iban: required(line(7), 7)?,
            amount: amount(line(8)).map_err(|error| error.in_line(8))?,
            purpose: optional(line(9), 9)?,
            remittance: match (optional(line(10), 10)?, optional(line(11), 11)?) {
                (Some(reference), None) => Some(Remittance::Reference(reference)),
                (None, Some(text)) => Some(Remittance::Text(text)),
                (None, None) => None,
                (Some(_), Some(_)) => return Err(FieldError::Form("empty after a reference").in_line(11)),
            },
            information: optional(line(12), 12)?,
            character_set,
        })
    }

    /// The text for the QR code: LF between the lines, none at the end, amounts with two decimals.
    ///
    /// # Errors
    /// The amount is not in euro or too large, the whole is too large, or a payload that was
    /// read in another character set has characters that UTF-8 would write as other bytes.
    pub fn encode(&self) -> Result<String, PayloadError> {
        let (version, bic) = match &self.bank {
            Bank::Version1(bic) => ("001", Some(bic)),
            Bank::Version2(bic) => ("002", bic.as_ref()),
        };
        let amount = self.amount.map(euro).transpose().map_err(|error| error.in_line(8))?;
        let (reference, text) = match &self.remittance {
            Some(Remittance::Reference(reference)) => (reference.as_str(), ""),
            Some(Remittance::Text(text)) => ("", text.as_str()),
            None => ("", ""),
        };
        let lines: [&str; LINES] = [
            "BCD",
            version,
            &self.character_set.0.to_string(),
            "SCT",
            bic.map_or("", Bic::as_str),
            self.name.as_str(),
            self.iban.as_str(),
            amount.as_deref().unwrap_or_default(),
            self.purpose.as_ref().map_or("", PurposeCode::as_str),
            reference,
            text,
            self.information.as_ref().map_or("", Information::as_str),
        ];
        let payload = lines.join("\n").trim_end_matches('\n').to_owned();
        if self.character_set != CharacterSet::UTF_8 && !payload.is_ascii() {
            return Err(FieldError::Form("1, for the text is UTF-8").in_line(3));
        }
        if payload.len() > MAX_BYTES { Err(PayloadError::EpcSize) } else { Ok(payload) }
    }
}

impl CharacterSet {
    /// The length of a text in this set; all but UTF-8 have one byte for a character.
    fn bytes(self, text: &str) -> usize {
        if self == Self::UTF_8 { text.len() } else { text.chars().count() }
    }
}

fn optional<T: std::str::FromStr<Err = FieldError>>(
    text: &str,
    line: usize,
) -> Result<Option<T>, PayloadError> {
    let text = Some(text).filter(|text| !text.is_empty());
    text.map(|text| text.parse().map_err(|error: FieldError| error.in_line(line))).transpose()
}

fn required<T: std::str::FromStr<Err = FieldError>>(text: &str, line: usize) -> Result<T, PayloadError> {
    optional(text, line)?.ok_or_else(|| FieldError::Missing.in_line(line))
}

fn character_set(text: &str) -> Result<CharacterSet, FieldError> {
    match text.as_bytes() {
        [digit @ b'1'..=b'8'] => Ok(CharacterSet(digit - b'0')),
        _ => Err(FieldError::Form("1 to 8")),
    }
}

fn amount(text: &str) -> Result<Option<Amount>, FieldError> {
    if text.is_empty() {
        return Ok(None);
    }
    let number = text.strip_prefix("EUR").ok_or(FieldError::Form("EUR and the amount"))?;
    let amount = Amount::parse(number, Currency::Eur)?;
    euro(amount)?;
    Ok(Some(amount))
}

fn euro(amount: Amount) -> Result<String, FieldError> {
    form(amount.money().minor() <= MAX_CENTS, "at most 999999999.99")?;
    Ok(format!("EUR{}", amount.full(Currency::Eur)?))
}

fn purpose(text: &str) -> Result<(), FieldError> {
    length(text, 1, 4)?;
    form(
        text.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit()),
        "capital letters and digits",
    )
}

#[cfg(test)]
mod tests;
