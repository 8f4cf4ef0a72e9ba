//! VietQR, Vietnam's scheme: to an account or a card at a bank.
//!
//! Source: NAPAS, technical specifications on QR switching, part IV, for transfers by NAPAS 247.

use serde::Serialize;

use super::{
    Amount, BillNumber, Fields, Initiation, PayloadError, Purpose, Scheme,
    emv::{self, Template},
    field::{FieldError, checked_texts, digits, form, length},
    reading,
};

const NAME: &str = "A000000727";

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Vietqr {
    pub service: Service,
    pub bank: Bank,
    /// Of the account or the card.
    pub number: AccountNumber,
    /// Whole dong. None: the payer types it, and the code is reusable.
    pub amount: Option<Amount>,
    pub bill_number: Option<BillNumber>,
    pub purpose: Option<Purpose>,
}

/// What the number is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Service {
    Account,
    Card,
}

checked_texts! {
    /// The number that NAPAS gave the bank (BIN): 6 digits.
    Bank: |text| form(digits(text, 6..=6), "6 digits");
    /// 1 to 19 letters and digits.
    AccountNumber: account_number;
}

impl Service {
    fn code(self) -> &'static str {
        match self {
            Self::Account => "QRIBFTTA",
            Self::Card => "QRIBFTTC",
        }
    }
}

impl Fields for Vietqr {
    const SCHEME: Scheme = Scheme::Vietqr;

    fn read(payload: &emv::Payload) -> Result<Option<Self>, PayloadError> {
        let Some(account) = payload.template_of(emv::ACCOUNTS, NAME) else { return Ok(None) };
        let beneficiary = payload.text(&[account, 1]).ok_or(FieldError::Missing.at(&[account, 1]))?;
        let beneficiary = Template::parse(beneficiary, &[account, 1])?;
        let part = |id| beneficiary.text(id).ok_or(FieldError::Missing.at(&[account, 1, id]));
        let service = match payload.text(&[account, 2]) {
            Some("QRIBFTTA") => Service::Account,
            Some("QRIBFTTC") => Service::Card,
            Some(_) => return Err(FieldError::Form("QRIBFTTA or QRIBFTTC").at(&[account, 2])),
            None => return Err(FieldError::Missing.at(&[account, 2])),
        };
        Ok(Some(Self {
            service,
            bank: part(0)?.parse().map_err(|error: FieldError| error.at(&[account, 1, 0]))?,
            number: part(1)?.parse().map_err(|error: FieldError| error.at(&[account, 1, 1]))?,
            amount: reading::amount(payload, Self::SCHEME, "VN")?,
            bill_number: payload.optional(&[62, 1])?,
            purpose: payload.optional(&[62, 8])?,
        }))
    }

    fn write(&self) -> Result<emv::Payload, PayloadError> {
        let beneficiary = Template::default().with(0, &self.bank).with(1, &self.number);
        let account = Template::default().with(0, NAME).with(1, beneficiary).with(2, self.service.code());
        let additional =
            Template::default().with_some(1, self.bill_number.as_ref()).with_some(8, self.purpose.as_ref());
        let objects = Template::default()
            .with(0, "01")
            .with(1, Initiation::by_amount(self.amount).code())
            .with_template(38, account)
            .with(53, reading::currency_code(Self::SCHEME))
            .with_some(54, reading::amount_text(self.amount, Self::SCHEME)?)
            .with(58, "VN")
            .with_template(62, additional);
        Ok(emv::Payload::new(objects)?)
    }
}

fn account_number(text: &str) -> Result<(), FieldError> {
    length(text, 1, 19)?;
    form(text.bytes().all(|byte| byte.is_ascii_alphanumeric()), "letters and digits")
}
