//! PromptPay, the scheme of Thailand: transfers to persons and wallets, and bill payments.
//!
//! Source: Bank of Thailand, Thai QR Code Payment Standard, as in the test payloads of its public
//! implementations.

use std::{fmt, str::FromStr};

use serde::Serialize;

use super::{
    amount::Amount,
    checks::{check_format, check_length, checked_texts, is_alphanumeric, is_digits},
    emv::{
        ADDITIONAL_DATA, COUNTRY, CURRENCY, EmvPayload, GLOBALLY_UNIQUE_ID, MERCHANT_ACCOUNTS,
        PAYLOAD_FORMAT, POINT_OF_INITIATION, TERMINAL_LABEL, TRANSACTION_AMOUNT, Template,
    },
    emv_fields::{amount_text, currency_code},
    field_error::PayloadFieldError,
    initiation::InitiationMethod,
    merchant::TerminalLabel,
    payload_error::PayloadError,
    scheme::Scheme,
    scheme_payload::SchemeFields,
};

/// The globally unique identifier of a credit transfer (template 29), and its data objects.
const TRANSFER: &str = "A000000677010111";
const MOBILE: u8 = 1;
const TAX_ID: u8 = 2;
const EWALLET: u8 = 3;

/// The globally unique identifier of a bill payment (template 30), and its data objects.
const BILL_PAYMENT: &str = "A000000677010112";
const BILLER: u8 = 1;
const FIRST_REFERENCE: u8 = 2;
const SECOND_REFERENCE: u8 = 3;

/// A payment in baht.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Promptpay {
    pub payee: PromptpayPayee,
    /// `None`: the payer enters the amount, and the code is reusable.
    pub amount: Option<Amount>,
    pub terminal: Option<TerminalLabel>,
}

/// The payee. In JSON the kind and the text: `{"mobile": "…"}`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum PromptpayPayee {
    Mobile(ThaiMobileNumber),
    TaxId(TaxId),
    Ewallet(EwalletId),
    Bill { biller: BillerId, first_reference: BillReference, second_reference: Option<BillReference> },
}

/// A Thai mobile number in the form of the payload: `0066` and 9 digits.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize)]
pub struct ThaiMobileNumber(String);

impl FromStr for ThaiMobileNumber {
    type Err = PayloadFieldError;

    /// Reads `0801234567`, `+66801234567` or `0066801234567`.
    fn from_str(text: &str) -> Result<Self, PayloadFieldError> {
        let mut numbers = ["0066", "+66", "0"].into_iter().filter_map(|prefix| text.strip_prefix(prefix));
        let number = numbers.find(|number| is_digits(number, 9..=9));
        let number = number.ok_or(PayloadFieldError::Format("0, +66 or 0066, then 9 digits"))?;
        Ok(Self(format!("0066{number}")))
    }
}

impl fmt::Display for ThaiMobileNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

checked_texts! {
    /// The number of a citizen or a company: 13 digits.
    TaxId: |text| check_format(is_digits(text, 13..=13), "13 digits");
    /// The number of an e-wallet: 15 digits.
    EwalletId: |text| check_format(is_digits(text, 15..=15), "15 digits");
    /// The number of a biller with its suffix: 13 to 15 digits.
    BillerId: |text| check_format(is_digits(text, 13..=15), "13 to 15 digits");
    /// A reference of a bill: 1 to 20 letters and digits.
    BillReference: check_bill_reference;
}

impl SchemeFields for Promptpay {
    const SCHEME: Scheme = Scheme::Promptpay;

    fn from_emv(payload: &EmvPayload) -> Result<Option<Self>, PayloadError> {
        let payee = if let Some(id) = payload.find_template(MERCHANT_ACCOUNTS, TRANSFER) {
            read_transfer(payload, id)?
        } else if let Some(id) = payload.find_template(MERCHANT_ACCOUNTS, BILL_PAYMENT) {
            PromptpayPayee::Bill {
                biller: payload.required(&[id, BILLER])?,
                first_reference: payload.required(&[id, FIRST_REFERENCE])?,
                second_reference: payload.optional(&[id, SECOND_REFERENCE])?,
            }
        } else {
            return Ok(None);
        };
        let amount = payload.amount(Self::SCHEME, "TH")?;
        Ok(Some(Self { payee, amount, terminal: payload.optional(&[ADDITIONAL_DATA, TERMINAL_LABEL])? }))
    }

    /// Currency, country and amount have the order of the public implementations.
    fn to_emv(&self) -> Result<EmvPayload, PayloadError> {
        let (id, account) = self.payee.to_account();
        let additional_data = Template::default().with_some(TERMINAL_LABEL, self.terminal.as_ref());
        let objects = Template::default()
            .with(PAYLOAD_FORMAT, "01")
            .with(POINT_OF_INITIATION, InitiationMethod::for_amount(self.amount).code())
            .with_template(id, account)
            .with(CURRENCY, currency_code(Self::SCHEME))
            .with(COUNTRY, "TH")
            .with_some(TRANSACTION_AMOUNT, amount_text(self.amount, Self::SCHEME)?)
            .with_template(ADDITIONAL_DATA, additional_data);
        Ok(EmvPayload::new(objects)?)
    }
}

impl PromptpayPayee {
    /// The merchant account template and its ID.
    fn to_account(&self) -> (u8, Template) {
        let transfer = || Template::default().with(GLOBALLY_UNIQUE_ID, TRANSFER);
        match self {
            Self::Mobile(number) => (29, transfer().with(MOBILE, number)),
            Self::TaxId(number) => (29, transfer().with(TAX_ID, number)),
            Self::Ewallet(number) => (29, transfer().with(EWALLET, number)),
            Self::Bill { biller, first_reference, second_reference } => {
                let bill = Template::default()
                    .with(GLOBALLY_UNIQUE_ID, BILL_PAYMENT)
                    .with(BILLER, biller)
                    .with(FIRST_REFERENCE, first_reference)
                    .with_some(SECOND_REFERENCE, second_reference.as_ref());
                (30, bill)
            }
        }
    }
}

fn read_transfer(payload: &EmvPayload, id: u8) -> Result<PromptpayPayee, PayloadError> {
    if let Some(number) = payload.optional(&[id, MOBILE])? {
        Ok(PromptpayPayee::Mobile(number))
    } else if let Some(number) = payload.optional(&[id, TAX_ID])? {
        Ok(PromptpayPayee::TaxId(number))
    } else {
        Ok(PromptpayPayee::Ewallet(payload.required(&[id, EWALLET])?))
    }
}

fn check_bill_reference(text: &str) -> Result<(), PayloadFieldError> {
    check_length(text, 1, 20)?;
    check_format(is_alphanumeric(text), "letters and digits")
}

#[cfg(test)]
mod tests {
    use super::ThaiMobileNumber;

    #[test]
    fn all_forms_of_a_mobile_number_become_one() {
        for text in ["0801234567", "+66801234567", "0066801234567"] {
            assert_eq!(text.parse::<ThaiMobileNumber>().unwrap().to_string(), "0066801234567");
        }
        for invalid in
            ["801234567", "080123456", "08012345678", "0067801234567", "+65801234567", "00668o1234567", ""]
        {
            assert!(invalid.parse::<ThaiMobileNumber>().is_err(), "{invalid}");
        }
    }
}
