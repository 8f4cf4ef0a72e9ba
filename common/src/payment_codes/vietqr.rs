//! VietQR, the scheme of Vietnam: transfers to an account or a card at a bank.
//!
//! Source: NAPAS, technical specifications on QR switching, part IV, for transfers by NAPAS 247.

use serde::Serialize;

use super::{
    amount::Amount,
    checks::{check_format, check_length, checked_texts, is_alphanumeric, is_digits},
    emv::{
        ADDITIONAL_DATA, BILL_NUMBER, COUNTRY, CURRENCY, EmvPayload, GLOBALLY_UNIQUE_ID, MERCHANT_ACCOUNTS,
        PAYLOAD_FORMAT, POINT_OF_INITIATION, PURPOSE, TRANSACTION_AMOUNT, Template,
    },
    emv_fields::{amount_text, currency_code},
    field_error::PayloadFieldError,
    initiation::InitiationMethod,
    merchant::{BillNumber, Purpose},
    payload_error::PayloadError,
    scheme::Scheme,
    scheme_payload::SchemeFields,
};

/// The globally unique identifier of NAPAS.
const UNIQUE_ID: &str = "A000000727";

/// Data objects in the merchant account template. The beneficiary is a template too.
const BENEFICIARY: u8 = 1;
const SERVICE: u8 = 2;
const BANK: u8 = 0;
const NUMBER: u8 = 1;

/// A payment in dong.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Vietqr {
    pub service: TransferService,
    pub bank: BankBin,
    /// The number of the account or the card.
    pub number: AccountNumber,
    /// Whole dong. `None`: the payer enters the amount, and the code is reusable.
    pub amount: Option<Amount>,
    pub bill_number: Option<BillNumber>,
    pub purpose: Option<Purpose>,
}

/// The kind of number that receives the transfer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum TransferService {
    Account,
    Card,
}

checked_texts! {
    /// The bank identification number (BIN) from NAPAS: 6 digits.
    BankBin: |text| check_format(is_digits(text, 6..=6), "6 digits");
    /// 1 to 19 letters and digits.
    AccountNumber: check_account_number;
}

impl TransferService {
    fn code(self) -> &'static str {
        match self {
            Self::Account => "QRIBFTTA",
            Self::Card => "QRIBFTTC",
        }
    }
}

impl SchemeFields for Vietqr {
    const SCHEME: Scheme = Scheme::Vietqr;

    fn from_emv(payload: &EmvPayload) -> Result<Option<Self>, PayloadError> {
        let Some(account) = payload.find_template(MERCHANT_ACCOUNTS, UNIQUE_ID) else { return Ok(None) };
        let beneficiary = payload.required_text(&[account, BENEFICIARY])?;
        let beneficiary = Template::parse(beneficiary, &[account, BENEFICIARY])?;
        let service = match payload.required_text(&[account, SERVICE])? {
            "QRIBFTTA" => TransferService::Account,
            "QRIBFTTC" => TransferService::Card,
            _ => return Err(PayloadFieldError::Format("QRIBFTTA or QRIBFTTC").at(&[account, SERVICE])),
        };
        let required = |id| {
            let missing = || PayloadFieldError::Missing.at(&[account, BENEFICIARY, id]);
            beneficiary.text(id).ok_or_else(missing)
        };
        let in_beneficiary = |id| move |error: PayloadFieldError| error.at(&[account, BENEFICIARY, id]);
        Ok(Some(Self {
            service,
            bank: required(BANK)?.parse().map_err(in_beneficiary(BANK))?,
            number: required(NUMBER)?.parse().map_err(in_beneficiary(NUMBER))?,
            amount: payload.amount(Self::SCHEME, "VN")?,
            bill_number: payload.optional(&[ADDITIONAL_DATA, BILL_NUMBER])?,
            purpose: payload.optional(&[ADDITIONAL_DATA, PURPOSE])?,
        }))
    }

    fn to_emv(&self) -> Result<EmvPayload, PayloadError> {
        let beneficiary = Template::default().with(BANK, &self.bank).with(NUMBER, &self.number);
        let account = Template::default()
            .with(GLOBALLY_UNIQUE_ID, UNIQUE_ID)
            .with(BENEFICIARY, beneficiary)
            .with(SERVICE, self.service.code());
        let additional_data = Template::default()
            .with_some(BILL_NUMBER, self.bill_number.as_ref())
            .with_some(PURPOSE, self.purpose.as_ref());
        let objects = Template::default()
            .with(PAYLOAD_FORMAT, "01")
            .with(POINT_OF_INITIATION, InitiationMethod::for_amount(self.amount).code())
            .with_template(38, account)
            .with(CURRENCY, currency_code(Self::SCHEME))
            .with_some(TRANSACTION_AMOUNT, amount_text(self.amount, Self::SCHEME)?)
            .with(COUNTRY, "VN")
            .with_template(ADDITIONAL_DATA, additional_data);
        Ok(EmvPayload::new(objects)?)
    }
}

fn check_account_number(text: &str) -> Result<(), PayloadFieldError> {
    check_length(text, 1, 19)?;
    check_format(is_alphanumeric(text), "letters and digits")
}
