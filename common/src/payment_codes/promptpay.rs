//! PromptPay, Thailand's scheme: to a person, a wallet or a biller.
//!
//! Source: the Bank of Thailand's QR code standard, as in the payloads that its public
//! implementations are tested with.

use std::{fmt, str::FromStr};

use serde::Serialize;

use super::{
    Amount, Fields, Initiation, PayloadError, Scheme, TerminalLabel,
    emv::{self, Template},
    field::{FieldError, checked_texts, digits, form, length},
    reading,
};

/// Names a transfer (template 29) and a bill payment (template 30).
const TRANSFER: &str = "A000000677010111";
const BILL: &str = "A000000677010112";

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Promptpay {
    pub payee: Payee,
    /// None: the payer types it, and the code is reusable.
    pub amount: Option<Amount>,
    pub terminal: Option<TerminalLabel>,
}

/// Who is paid; in JSON by name: `{"mobile": "…"}`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Payee {
    Mobile(Mobile),
    TaxId(TaxId),
    Ewallet(Ewallet),
    Bill { biller: Biller, first_reference: BillReference, second_reference: Option<BillReference> },
}

/// A Thai mobile number as the payload has it: `0066` and 9 digits.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize)]
pub struct Mobile(String);

impl FromStr for Mobile {
    type Err = FieldError;

    /// Reads `0801234567`, `+66801234567` or `0066801234567`.
    fn from_str(text: &str) -> Result<Self, FieldError> {
        let mut numbers = ["0066", "+66", "0"].into_iter().filter_map(|prefix| text.strip_prefix(prefix));
        let number = numbers.find(|number| digits(number, 9..=9));
        let number = number.ok_or(FieldError::Form("0, +66 or 0066, then 9 digits"))?;
        Ok(Self(format!("0066{number}")))
    }
}

impl fmt::Display for Mobile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

checked_texts! {
    /// A citizen's or company's number: 13 digits.
    TaxId: |text| form(digits(text, 13..=13), "13 digits");
    /// 15 digits.
    Ewallet: |text| form(digits(text, 15..=15), "15 digits");
    /// A biller's number, suffix included: 13 to 15 digits.
    Biller: |text| form(digits(text, 13..=15), "13 to 15 digits");
    /// 1 to 20 letters and digits.
    BillReference: bill_reference;
}

impl Fields for Promptpay {
    const SCHEME: Scheme = Scheme::Promptpay;

    fn read(payload: &emv::Payload) -> Result<Option<Self>, PayloadError> {
        let payee = if let Some(id) = payload.template_of(emv::ACCOUNTS, TRANSFER) {
            transfer(payload, id)?
        } else if let Some(id) = payload.template_of(emv::ACCOUNTS, BILL) {
            Payee::Bill {
                biller: payload.required(&[id, 1])?,
                first_reference: payload.required(&[id, 2])?,
                second_reference: payload.optional(&[id, 3])?,
            }
        } else {
            return Ok(None);
        };
        let amount = reading::amount(payload, Self::SCHEME, "TH")?;
        Ok(Some(Self { payee, amount, terminal: payload.optional(&[62, 7])? }))
    }

    /// Currency, country and amount come in the order in which the scheme's implementations write them.
    fn write(&self) -> Result<emv::Payload, PayloadError> {
        let (id, account) = match &self.payee {
            Payee::Mobile(mobile) => (29, Template::default().with(0, TRANSFER).with(1, mobile)),
            Payee::TaxId(number) => (29, Template::default().with(0, TRANSFER).with(2, number)),
            Payee::Ewallet(number) => (29, Template::default().with(0, TRANSFER).with(3, number)),
            Payee::Bill { biller, first_reference, second_reference } => {
                let account = Template::default().with(0, BILL).with(1, biller).with(2, first_reference);
                (30, account.with_some(3, second_reference.as_ref()))
            }
        };
        let objects = Template::default()
            .with(0, "01")
            .with(1, Initiation::by_amount(self.amount).code())
            .with_template(id, account)
            .with(53, reading::currency_code(Self::SCHEME))
            .with(58, "TH")
            .with_some(54, reading::amount_text(self.amount, Self::SCHEME)?)
            .with_template(62, Template::default().with_some(7, self.terminal.as_ref()));
        Ok(emv::Payload::new(objects)?)
    }
}

fn transfer(payload: &emv::Payload, id: u8) -> Result<Payee, PayloadError> {
    if let Some(mobile) = payload.optional(&[id, 1])? {
        Ok(Payee::Mobile(mobile))
    } else if let Some(number) = payload.optional(&[id, 2])? {
        Ok(Payee::TaxId(number))
    } else {
        Ok(Payee::Ewallet(payload.required(&[id, 3])?))
    }
}

fn bill_reference(text: &str) -> Result<(), FieldError> {
    length(text, 1, 20)?;
    form(text.bytes().all(|byte| byte.is_ascii_alphanumeric()), "letters and digits")
}

#[cfg(test)]
mod tests {
    use super::Mobile;

    #[test]
    fn a_mobile_number_has_one_form() {
        for text in ["0801234567", "+66801234567", "0066801234567"] {
            assert_eq!(text.parse::<Mobile>().unwrap().to_string(), "0066801234567");
        }
        for bad in
            ["801234567", "080123456", "08012345678", "0067801234567", "+65801234567", "00668o1234567", ""]
        {
            assert!(bad.parse::<Mobile>().is_err(), "{bad}");
        }
    }
}
