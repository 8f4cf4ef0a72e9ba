//! PayNow, Singapore's scheme.
//!
//! Source: the Association of Banks in Singapore's fields of a PayNow QR code, as in the payloads that
//! its public implementations are tested with.

use chrono::{NaiveDate, NaiveTime};
use serde::Serialize;

use super::{
    Amount, BillNumber, Fields, Initiation, MerchantName, PayloadError, Scheme,
    emv::{self, Template},
    field::{FieldError, checked_texts, digits, form},
    reading,
};

const NAME: &str = "SG.PAYNOW";

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Paynow {
    pub payee: Payee,
    pub name: MerchantName,
    /// None: the payer types it.
    pub amount: Option<Amount>,
    /// Whether the payer may change the amount.
    pub editable: bool,
    /// None: for ever.
    pub expiry: Option<Expiry>,
    pub initiation: Initiation,
    pub bill_number: Option<BillNumber>,
}

/// Who is paid; in JSON by name: `{"uen": "…"}`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Payee {
    Mobile(Mobile),
    Uen(Uen),
}

checked_texts! {
    /// With a plus sign and the country: `+6512345678`.
    Mobile: |text: &str| form(text.strip_prefix('+').is_some_and(|rest| digits(rest, 8..=15)), "+ and 8 to 15 digits");
    /// A unique entity number, with or without a suffix: 8 to 13 digits and capital letters.
    Uen: uen;
    /// The last day, `20301231`, or the last second, `20301231235959`.
    Expiry: expiry;
}

impl Fields for Paynow {
    const SCHEME: Scheme = Scheme::Paynow;

    fn read(payload: &emv::Payload) -> Result<Option<Self>, PayloadError> {
        let Some(account) = payload.template_of(emv::ACCOUNTS, NAME) else { return Ok(None) };
        let payee = match payload.text(&[account, 1]) {
            Some("0") => Payee::Mobile(payload.required(&[account, 2])?),
            Some("2") => Payee::Uen(payload.required(&[account, 2])?),
            Some(_) => return Err(FieldError::Form("0 or 2").at(&[account, 1])),
            None => return Err(FieldError::Missing.at(&[account, 1])),
        };
        let editable = match payload.text(&[account, 3]) {
            Some("1") => true,
            Some("0") => false,
            Some(_) => return Err(FieldError::Form("0 or 1").at(&[account, 3])),
            None => return Err(FieldError::Missing.at(&[account, 3])),
        };
        Ok(Some(Self {
            payee,
            name: payload.required(&[59])?,
            amount: reading::amount(payload, Self::SCHEME, "SG")?,
            editable,
            expiry: payload.optional(&[account, 4])?,
            initiation: Initiation::read(payload),
            bill_number: payload.optional(&[62, 1])?,
        }))
    }

    fn write(&self) -> Result<emv::Payload, PayloadError> {
        let account = Template::default().with(0, NAME);
        let account = match &self.payee {
            Payee::Mobile(mobile) => account.with(1, 0).with(2, mobile),
            Payee::Uen(uen) => account.with(1, 2).with(2, uen),
        };
        let account = account.with(3, u8::from(self.editable)).with_some(4, self.expiry.as_ref());
        let objects = Template::default()
            .with(0, "01")
            .with(1, self.initiation.code())
            .with_template(26, account)
            .with(52, "0000")
            .with(53, reading::currency_code(Self::SCHEME))
            .with_some(54, reading::short_amount_text(self.amount, Self::SCHEME)?)
            .with(58, "SG")
            .with(59, &self.name)
            .with(60, "Singapore")
            .with_template(62, Template::default().with_some(1, self.bill_number.as_ref()));
        Ok(emv::Payload::new(objects)?)
    }
}

fn uen(text: &str) -> Result<(), FieldError> {
    let plain = text.bytes().all(|byte| byte.is_ascii_digit() || byte.is_ascii_uppercase());
    form((8..=13).contains(&text.len()) && plain, "8 to 13 digits and capital letters")
}

fn expiry(text: &str) -> Result<(), FieldError> {
    // Digits alone: chrono would take signs and spaces.
    let shaped = digits(text, 8..=8) || digits(text, 14..=14);
    let is_moment = || {
        let (day, time) = text.split_at(8);
        let time = if time.is_empty() { "000000" } else { time };
        NaiveDate::parse_from_str(day, "%Y%m%d").is_ok() && NaiveTime::parse_from_str(time, "%H%M%S").is_ok()
    };
    form(shaped && is_moment(), "a day as YYYYMMDD or a time as YYYYMMDDHHMMSS")
}

#[cfg(test)]
mod tests {
    use super::Expiry;

    #[test]
    fn an_expiry_is_in_the_calendar() {
        for good in ["20301231", "20280229", "20301231235959"] {
            assert!(good.parse::<Expiry>().is_ok(), "{good}");
        }
        for bad in ["20300229", "20301301", "2030123", "+2030123", "20301231240000", "2030-12-31", ""] {
            assert!(bad.parse::<Expiry>().is_err(), "{bad}");
        }
    }
}
