//! FPS, Hong Kong's Faster Payment System.
//!
//! Source: Hong Kong Interbank Clearing, payee-presented QR code specification for FPS; the Hong Kong
//! Monetary Authority's common QR code specification.

use serde::Serialize;

use super::{
    Amount, Fields, Initiation, MerchantCity, MerchantName, PayloadError, ReferenceLabel, Scheme,
    emv::{self, Template},
    field::{FieldError, checked_texts, digits, form, is_email, length},
    reading,
};

const NAME: &str = "hk.com.hkicl";

/// Payments in Hong Kong dollars.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Fps {
    pub payee: Payee,
    /// `NA` where the payee tells none.
    pub name: MerchantName,
    /// `HK` where the payee tells none.
    pub city: MerchantCity,
    /// None: the payer types it.
    pub amount: Option<Amount>,
    pub initiation: Initiation,
    pub reference: Option<ReferenceLabel>,
}

/// Who is paid; in JSON by name: `{"fps_id": "…"}`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Payee {
    FpsId(FpsId),
    Mobile(Mobile),
    Email(Email),
}

checked_texts! {
    /// What FPS gave the payee: 7 to 12 digits.
    FpsId: |text| form(digits(text, 7..=12), "7 to 12 digits");
    /// `+852-` and 8 digits; or another country's number of that shape.
    Mobile: mobile;
    /// At most 79 characters, for that is what the template has room for.
    Email: email;
}

impl Fields for Fps {
    const SCHEME: Scheme = Scheme::Fps;

    fn read(payload: &emv::Payload) -> Result<Option<Self>, PayloadError> {
        let Some(account) = payload.template_of(emv::ACCOUNTS, NAME) else { return Ok(None) };
        let payee = if let Some(fps_id) = payload.optional(&[account, 2])? {
            Payee::FpsId(fps_id)
        } else if let Some(mobile) = payload.optional(&[account, 3])? {
            Payee::Mobile(mobile)
        } else {
            Payee::Email(payload.required(&[account, 4])?)
        };
        Ok(Some(Self {
            payee,
            name: payload.required(&[59])?,
            city: payload.required(&[60])?,
            amount: reading::amount(payload, Self::SCHEME, "HK")?,
            initiation: Initiation::read(payload),
            reference: payload.optional(&[62, 5])?,
        }))
    }

    fn write(&self) -> Result<emv::Payload, PayloadError> {
        let account = Template::default().with(0, NAME);
        let account = match &self.payee {
            Payee::FpsId(fps_id) => account.with(2, fps_id),
            Payee::Mobile(mobile) => account.with(3, mobile),
            Payee::Email(email) => account.with(4, email),
        };
        let objects = Template::default()
            .with(0, "01")
            .with(1, self.initiation.code())
            .with_template(26, account)
            .with(52, "0000")
            .with(53, reading::currency_code(Self::SCHEME))
            .with_some(54, reading::short_amount_text(self.amount, Self::SCHEME)?)
            .with(58, "HK")
            .with(59, &self.name)
            .with(60, &self.city)
            .with_template(62, Template::default().with_some(5, self.reference.as_ref()));
        Ok(emv::Payload::new(objects)?)
    }
}

fn mobile(text: &str) -> Result<(), FieldError> {
    let parts = text.strip_prefix('+').and_then(|rest| rest.split_once('-'));
    let shaped = parts.is_some_and(|(country, number)| digits(country, 1..=3) && digits(number, 4..=14));
    form(shaped, "+852- and the number")
}

fn email(text: &str) -> Result<(), FieldError> {
    length(text, 3, 79)?;
    form(is_email(text), "an e-mail address")
}
