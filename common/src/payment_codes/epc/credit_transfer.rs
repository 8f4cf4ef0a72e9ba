//! The fields of a SEPA credit transfer, and their lines.

use serde::Serialize;

use super::{
    identifiers::{Bic, CreditorReference, Iban},
    lines::{LINES, Lines},
};
use crate::{
    money::Currency,
    payment_codes::{
        amount::Amount,
        checks::{check_format, check_length, check_line, checked_texts, is_digits_and_capitals},
        field_error::PayloadFieldError,
        payload_error::PayloadError,
    },
};

/// The capacity of a QR code of version 13 at error correction level M.
const MAX_BYTES: usize = 331;

/// The largest amount of EPC069-12: 999999999.99 euro.
const MAX_CENTS: i64 = 99_999_999_999;

/// A credit transfer that the payer confirms.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CreditTransfer {
    pub bank: BeneficiaryBank,
    pub name: BeneficiaryName,
    pub iban: Iban,
    /// `None`: the payer enters the amount.
    pub amount: Option<Amount>,
    pub purpose: Option<PurposeCode>,
    pub remittance: Option<Remittance>,
    pub information: Option<OriginatorInformation>,
    pub character_set: CharacterSet,
}

/// The version of the format, and the BIC of the beneficiary's bank. Version `001` requires the BIC.
/// In JSON `{"version": "002", "bic": null}`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "version", content = "bic")]
pub enum BeneficiaryBank {
    #[serde(rename = "001")]
    Version1(Bic),
    /// Banks outside the European Economic Area still require the BIC.
    #[serde(rename = "002")]
    Version2(Option<Bic>),
}

/// The remittance information: structured (a creditor reference) or unstructured (a text), never both.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Remittance {
    Reference(CreditorReference),
    Text(RemittanceText),
}

/// The character set of a payload, 1 to 8 (EPC069-12). Payloads that we make are in UTF-8.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct CharacterSet(u8);

checked_texts! {
    /// The name of the beneficiary: 1 to 70 characters.
    BeneficiaryName: check_line::<70>;
    /// The purpose of the transfer, a code of ISO 20022: 1 to 4 capital letters and digits.
    PurposeCode: check_purpose;
    /// Unstructured remittance information: 1 to 140 characters.
    RemittanceText: check_line::<140>;
    /// Information from the beneficiary to the payer: 1 to 70 characters.
    OriginatorInformation: check_line::<70>;
}

impl CreditTransfer {
    /// Reads a payload with LF or CR LF between its lines. Empty lines at the end are accepted.
    ///
    /// # Errors
    /// A line breaks its rule, or the payload is too large.
    pub fn parse(text: &str) -> Result<Self, PayloadError> {
        let text = text.trim_end_matches(['\r', '\n']);
        let lines = Lines::new(text);
        lines.check_value(1, "BCD")?;
        lines.check_value(4, "SCT")?;
        let character_set = CharacterSet::parse(lines.text(3)).map_err(|error| error.in_line(3))?;
        if lines.count() > LINES || character_set.byte_count(text) > MAX_BYTES {
            return Err(PayloadError::EpcSize);
        }
        let bank = match lines.text(2) {
            "001" => BeneficiaryBank::Version1(lines.required(5)?),
            "002" => BeneficiaryBank::Version2(lines.optional(5)?),
            _ => return Err(PayloadFieldError::Format("001 or 002").in_line(2)),
        };
        Ok(Self {
            bank,
            name: lines.required(6)?,
            iban: lines.required(7)?,
            amount: parse_amount(lines.text(8)).map_err(|error| error.in_line(8))?,
            purpose: lines.optional(9)?,
            remittance: read_remittance(&lines)?,
            information: lines.optional(12)?,
            character_set,
        })
    }

    /// The text for the QR code: LF between the lines, no LF at the end, two decimals in the amount.
    ///
    /// # Errors
    /// The amount is not in euro or too large. The payload is too large. The character set of a parsed
    /// payload is not UTF-8, and its text is not ASCII.
    pub fn encode(&self) -> Result<String, PayloadError> {
        let (version, bic) = match &self.bank {
            BeneficiaryBank::Version1(bic) => ("001", Some(bic)),
            BeneficiaryBank::Version2(bic) => ("002", bic.as_ref()),
        };
        let amount = self.amount.map(amount_text).transpose().map_err(|error| error.in_line(8))?;
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
            self.information.as_ref().map_or("", OriginatorInformation::as_str),
        ];
        let payload = lines.join("\n").trim_end_matches('\n').to_owned();
        if self.character_set != CharacterSet::UTF_8 && !payload.is_ascii() {
            return Err(PayloadFieldError::Format("1 (UTF-8), because the text is not ASCII").in_line(3));
        }
        if payload.len() > MAX_BYTES { Err(PayloadError::EpcSize) } else { Ok(payload) }
    }
}

impl CharacterSet {
    pub const UTF_8: Self = Self(1);

    fn parse(text: &str) -> Result<Self, PayloadFieldError> {
        match text.as_bytes() {
            [digit @ b'1'..=b'8'] => Ok(Self(digit - b'0')),
            _ => Err(PayloadFieldError::Format("1 to 8")),
        }
    }

    /// The size of a text in this character set. All sets except UTF-8 have one byte per character.
    fn byte_count(self, text: &str) -> usize {
        if self == Self::UTF_8 { text.len() } else { text.chars().count() }
    }
}

fn read_remittance(lines: &Lines<'_>) -> Result<Option<Remittance>, PayloadError> {
    match (lines.optional(10)?, lines.optional(11)?) {
        (Some(reference), None) => Ok(Some(Remittance::Reference(reference))),
        (None, Some(text)) => Ok(Some(Remittance::Text(text))),
        (None, None) => Ok(None),
        (Some::<CreditorReference>(_), Some::<RemittanceText>(_)) => {
            Err(PayloadFieldError::Format("empty, because line 10 has a reference").in_line(11))
        }
    }
}

/// Reads `EUR25.00`. An empty text is no amount.
fn parse_amount(text: &str) -> Result<Option<Amount>, PayloadFieldError> {
    if text.is_empty() {
        return Ok(None);
    }
    let number = text.strip_prefix("EUR").ok_or(PayloadFieldError::Format("EUR and the amount"))?;
    let amount = Amount::parse(number, Currency::Eur)?;
    amount_text(amount)?;
    Ok(Some(amount))
}

fn amount_text(amount: Amount) -> Result<String, PayloadFieldError> {
    check_format(amount.money().minor() <= MAX_CENTS, "at most 999999999.99")?;
    Ok(format!("EUR{}", amount.to_text(Currency::Eur)?))
}

fn check_purpose(text: &str) -> Result<(), PayloadFieldError> {
    check_length(text, 1, 4)?;
    check_format(is_digits_and_capitals(text), "capital letters and digits")
}
