//! FPS, the Faster Payment System of Hong Kong.
//!
//! Sources: Hong Kong Interbank Clearing, payee-presented QR code specification for FPS; Hong Kong
//! Monetary Authority, Common QR Code Specification.

use serde::Serialize;

use super::{
    amount::Amount,
    checks::{check_format, check_length, checked_texts, is_digits, is_email},
    emv::{
        ADDITIONAL_DATA, COUNTRY, CURRENCY, EmvPayload, GLOBALLY_UNIQUE_ID, MERCHANT_ACCOUNTS,
        MERCHANT_CATEGORY, MERCHANT_CITY, MERCHANT_NAME, PAYLOAD_FORMAT, POINT_OF_INITIATION,
        REFERENCE_LABEL, TRANSACTION_AMOUNT, Template,
    },
    emv_fields::{currency_code, short_amount_text},
    field_error::PayloadFieldError,
    initiation::InitiationMethod,
    merchant::{MerchantCity, MerchantName, ReferenceLabel},
    payload_error::PayloadError,
    scheme::Scheme,
    scheme_payload::SchemeFields,
};

/// The globally unique identifier of FPS.
const UNIQUE_ID: &str = "hk.com.hkicl";

/// Data objects in the merchant account template.
const FPS_ID: u8 = 2;
const MOBILE: u8 = 3;
const EMAIL: u8 = 4;

/// A payment in Hong Kong dollars.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Fps {
    pub payee: FpsPayee,
    /// `NA` if the payee gives no name.
    pub name: MerchantName,
    /// `HK` if the payee gives no city.
    pub city: MerchantCity,
    /// `None`: the payer enters the amount.
    pub amount: Option<Amount>,
    pub initiation: InitiationMethod,
    pub reference: Option<ReferenceLabel>,
}

/// The proxy ID of the payee. In JSON the kind and the text: `{"fps_id": "…"}`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum FpsPayee {
    FpsId(FpsId),
    Mobile(FpsMobileNumber),
    Email(FpsEmail),
}

checked_texts! {
    /// The FPS identifier: 7 to 12 digits.
    FpsId: |text| check_format(is_digits(text, 7..=12), "7 to 12 digits");
    /// Country code and mobile number: `+852-` and 8 digits, or a number of another country.
    FpsMobileNumber: check_mobile;
    /// An e-mail address: 3 to 79 characters. A longer one does not fit into the template.
    FpsEmail: check_email;
}

impl SchemeFields for Fps {
    const SCHEME: Scheme = Scheme::Fps;

    fn from_emv(payload: &EmvPayload) -> Result<Option<Self>, PayloadError> {
        let Some(account) = payload.find_template(MERCHANT_ACCOUNTS, UNIQUE_ID) else { return Ok(None) };
        let payee = if let Some(fps_id) = payload.optional(&[account, FPS_ID])? {
            FpsPayee::FpsId(fps_id)
        } else if let Some(mobile) = payload.optional(&[account, MOBILE])? {
            FpsPayee::Mobile(mobile)
        } else {
            FpsPayee::Email(payload.required(&[account, EMAIL])?)
        };
        Ok(Some(Self {
            payee,
            name: payload.required(&[MERCHANT_NAME])?,
            city: payload.required(&[MERCHANT_CITY])?,
            amount: payload.amount(Self::SCHEME, "HK")?,
            initiation: InitiationMethod::from_emv(payload),
            reference: payload.optional(&[ADDITIONAL_DATA, REFERENCE_LABEL])?,
        }))
    }

    fn to_emv(&self) -> Result<EmvPayload, PayloadError> {
        let account = Template::default().with(GLOBALLY_UNIQUE_ID, UNIQUE_ID);
        let account = match &self.payee {
            FpsPayee::FpsId(fps_id) => account.with(FPS_ID, fps_id),
            FpsPayee::Mobile(mobile) => account.with(MOBILE, mobile),
            FpsPayee::Email(email) => account.with(EMAIL, email),
        };
        let additional_data = Template::default().with_some(REFERENCE_LABEL, self.reference.as_ref());
        let objects = Template::default()
            .with(PAYLOAD_FORMAT, "01")
            .with(POINT_OF_INITIATION, self.initiation.code())
            .with_template(26, account)
            .with(MERCHANT_CATEGORY, "0000")
            .with(CURRENCY, currency_code(Self::SCHEME))
            .with_some(TRANSACTION_AMOUNT, short_amount_text(self.amount, Self::SCHEME)?)
            .with(COUNTRY, "HK")
            .with(MERCHANT_NAME, &self.name)
            .with(MERCHANT_CITY, &self.city)
            .with_template(ADDITIONAL_DATA, additional_data);
        Ok(EmvPayload::new(objects)?)
    }
}

fn check_mobile(text: &str) -> Result<(), PayloadFieldError> {
    let parts = text.strip_prefix('+').and_then(|rest| rest.split_once('-'));
    let is_valid =
        parts.is_some_and(|(country, number)| is_digits(country, 1..=3) && is_digits(number, 4..=14));
    check_format(is_valid, "a mobile number like +852-98765432")
}

fn check_email(text: &str) -> Result<(), PayloadFieldError> {
    check_length(text, 3, 79)?;
    check_format(is_email(text), "an e-mail address")
}
