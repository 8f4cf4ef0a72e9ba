//! PayNow, the scheme of Singapore.
//!
//! Source: Association of Banks in Singapore, fields of a PayNow QR code, as in the test payloads of
//! its public implementations.

use chrono::{NaiveDate, NaiveTime};
use serde::Serialize;

use super::{
    amount::Amount,
    checks::{check_format, checked_texts, is_digits, is_digits_and_capitals},
    emv::{
        ADDITIONAL_DATA, BILL_NUMBER, COUNTRY, CURRENCY, EmvPayload, GLOBALLY_UNIQUE_ID, MERCHANT_ACCOUNTS,
        MERCHANT_CATEGORY, MERCHANT_CITY, MERCHANT_NAME, PAYLOAD_FORMAT, POINT_OF_INITIATION,
        TRANSACTION_AMOUNT, Template,
    },
    emv_fields::{currency_code, short_amount_text},
    field_error::PayloadFieldError,
    initiation::InitiationMethod,
    merchant::{BillNumber, MerchantName},
    payload_error::PayloadError,
    scheme::Scheme,
    scheme_payload::SchemeFields,
};

/// The globally unique identifier of PayNow.
const UNIQUE_ID: &str = "SG.PAYNOW";

/// Data objects in the merchant account template.
const PROXY_TYPE: u8 = 1;
const PROXY_VALUE: u8 = 2;
const EDITABLE: u8 = 3;
const EXPIRY: u8 = 4;

/// A payment in Singapore dollars.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Paynow {
    pub payee: PaynowPayee,
    pub name: MerchantName,
    /// `None`: the payer enters the amount.
    pub amount: Option<Amount>,
    /// Whether the payer can change the amount.
    pub editable: bool,
    /// `None`: the code does not expire.
    pub expiry: Option<Expiry>,
    pub initiation: InitiationMethod,
    pub bill_number: Option<BillNumber>,
}

/// The proxy of the payee. In JSON the kind and the text: `{"uen": "…"}`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum PaynowPayee {
    Mobile(PaynowMobileNumber),
    Uen(Uen),
}

checked_texts! {
    /// A mobile number with a plus sign and the country code: `+6512345678`.
    PaynowMobileNumber: check_mobile;
    /// A unique entity number with or without a suffix: 8 to 13 digits and capital letters.
    Uen: check_uen;
    /// The last valid day, `20301231`, or the last valid second, `20301231235959`.
    Expiry: check_expiry;
}

impl SchemeFields for Paynow {
    const SCHEME: Scheme = Scheme::Paynow;

    fn from_emv(payload: &EmvPayload) -> Result<Option<Self>, PayloadError> {
        let Some(account) = payload.find_template(MERCHANT_ACCOUNTS, UNIQUE_ID) else { return Ok(None) };
        let payee = match payload.required_text(&[account, PROXY_TYPE])? {
            "0" => PaynowPayee::Mobile(payload.required(&[account, PROXY_VALUE])?),
            "2" => PaynowPayee::Uen(payload.required(&[account, PROXY_VALUE])?),
            _ => return Err(PayloadFieldError::Format("0 or 2").at(&[account, PROXY_TYPE])),
        };
        let editable = match payload.required_text(&[account, EDITABLE])? {
            "1" => true,
            "0" => false,
            _ => return Err(PayloadFieldError::Format("0 or 1").at(&[account, EDITABLE])),
        };
        Ok(Some(Self {
            payee,
            name: payload.required(&[MERCHANT_NAME])?,
            amount: payload.amount(Self::SCHEME, "SG")?,
            editable,
            expiry: payload.optional(&[account, EXPIRY])?,
            initiation: InitiationMethod::from_emv(payload),
            bill_number: payload.optional(&[ADDITIONAL_DATA, BILL_NUMBER])?,
        }))
    }

    fn to_emv(&self) -> Result<EmvPayload, PayloadError> {
        let account = Template::default().with(GLOBALLY_UNIQUE_ID, UNIQUE_ID);
        let account = match &self.payee {
            PaynowPayee::Mobile(mobile) => account.with(PROXY_TYPE, 0).with(PROXY_VALUE, mobile),
            PaynowPayee::Uen(uen) => account.with(PROXY_TYPE, 2).with(PROXY_VALUE, uen),
        };
        let account = account.with(EDITABLE, u8::from(self.editable)).with_some(EXPIRY, self.expiry.as_ref());
        let additional_data = Template::default().with_some(BILL_NUMBER, self.bill_number.as_ref());
        let objects = Template::default()
            .with(PAYLOAD_FORMAT, "01")
            .with(POINT_OF_INITIATION, self.initiation.code())
            .with_template(26, account)
            .with(MERCHANT_CATEGORY, "0000")
            .with(CURRENCY, currency_code(Self::SCHEME))
            .with_some(TRANSACTION_AMOUNT, short_amount_text(self.amount, Self::SCHEME)?)
            .with(COUNTRY, "SG")
            .with(MERCHANT_NAME, &self.name)
            .with(MERCHANT_CITY, "Singapore")
            .with_template(ADDITIONAL_DATA, additional_data);
        Ok(EmvPayload::new(objects)?)
    }
}

fn check_mobile(text: &str) -> Result<(), PayloadFieldError> {
    let is_valid = text.strip_prefix('+').is_some_and(|rest| is_digits(rest, 8..=15));
    check_format(is_valid, "+ and 8 to 15 digits")
}

fn check_uen(text: &str) -> Result<(), PayloadFieldError> {
    let is_valid = (8..=13).contains(&text.len()) && is_digits_and_capitals(text);
    check_format(is_valid, "8 to 13 digits and capital letters")
}

fn check_expiry(text: &str) -> Result<(), PayloadFieldError> {
    // chrono also accepts signs and spaces, so the digits are checked first.
    let has_length = is_digits(text, 8..=8) || is_digits(text, 14..=14);
    let is_in_calendar = || {
        let (day, time) = text.split_at(8);
        let time = if time.is_empty() { "000000" } else { time };
        NaiveDate::parse_from_str(day, "%Y%m%d").is_ok() && NaiveTime::parse_from_str(time, "%H%M%S").is_ok()
    };
    check_format(has_length && is_in_calendar(), "a day as YYYYMMDD or a time as YYYYMMDDHHMMSS")
}

#[cfg(test)]
mod tests {
    use super::Expiry;

    #[test]
    fn an_expiry_is_a_day_of_the_calendar() {
        for valid in ["20301231", "20280229", "20301231235959"] {
            assert!(valid.parse::<Expiry>().is_ok(), "{valid}");
        }
        for invalid in ["20300229", "20301301", "2030123", "+2030123", "20301231240000", "2030-12-31", ""] {
            assert!(invalid.parse::<Expiry>().is_err(), "{invalid}");
        }
    }
}
