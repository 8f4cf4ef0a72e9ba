//! The fields of a Pix code, and their data objects.

use serde::Serialize;

use super::pix_key::PixKey;
use crate::payment_codes::{
    amount::Amount,
    checks::{check_format, check_length, check_line, checked_texts, is_alphanumeric},
    emv::{
        ADDITIONAL_DATA, COUNTRY, CURRENCY, EmvPayload, GLOBALLY_UNIQUE_ID, MERCHANT_ACCOUNTS,
        MERCHANT_CATEGORY, MERCHANT_CITY, MERCHANT_NAME, PAYLOAD_FORMAT, POINT_OF_INITIATION,
        REFERENCE_LABEL, TRANSACTION_AMOUNT, Template, UNRESERVED,
    },
    emv_fields::{amount_text, currency_code},
    field_error::PayloadFieldError,
    initiation::InitiationMethod,
    merchant::{MerchantCity, MerchantName},
    payload_error::PayloadError,
    scheme::Scheme,
    scheme_payload::SchemeFields,
};

/// The globally unique identifier of Pix. Some banks write it in capitals.
const UNIQUE_ID: &str = "br.gov.bcb.pix";

/// The merchant account template that we write.
const ACCOUNT: u8 = 26;

/// The unreserved template that we write for a recurrence.
const RECURRENCE: u8 = 80;

/// Data objects in the templates of Pix.
const KEY: u8 = 1;
const DESCRIPTION: u8 = 2;
const LOCATION: u8 = 25;

/// The reference label of a code without a transaction id.
const NO_TRANSACTION_ID: &str = "***";

/// The characters that key and description share. A template has 99, and its globally unique
/// identifier, IDs and lengths take 26.
const KEY_AND_DESCRIPTION: usize = 73;

/// A Pix code. In JSON `kind` is `static`, `dynamic` or `recurrence`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Pix {
    Static(StaticCode),
    Dynamic(DynamicCode),
    Recurrence(RecurrenceCode),
}

/// A code with the key of the payee. It can be paid several times.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct StaticCode {
    pub key: PixKey,
    /// Written in ASCII.
    pub name: MerchantName,
    /// Written in ASCII.
    pub city: MerchantCity,
    /// `None`: the payer enters the amount.
    pub amount: Option<Amount>,
    pub reference: Option<TransactionId>,
    /// Key and description together have at most 73 characters.
    pub description: Option<PaymentDescription>,
}

/// A code for one charge. The payer's bank fetches the charge from the location.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct DynamicCode {
    pub location: PayloadLocation,
    pub name: MerchantName,
    pub city: MerchantCity,
    /// Some banks repeat the amount of the charge here. The charge is authoritative.
    pub amount: Option<Amount>,
    /// The location of an offer for recurring payments.
    pub recurrence: Option<PayloadLocation>,
}

/// A code that authorises recurring payments and requests no payment now.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RecurrenceCode {
    pub location: PayloadLocation,
    pub name: MerchantName,
    pub city: MerchantCity,
}

checked_texts! {
    /// The payee's id of the transaction (`txid`): 1 to 25 of `[a-zA-Z0-9]`. In a payload from
    /// elsewhere it can have other characters.
    TransactionId: check_transaction_id;
    /// A text for the payer: 1 to 72 characters.
    PaymentDescription: check_line::<72>;
    /// A URL without `https://`: 1 to 77 characters.
    PayloadLocation: check_location;
}

impl SchemeFields for Pix {
    const SCHEME: Scheme = Scheme::Pix;

    fn from_emv(payload: &EmvPayload) -> Result<Option<Self>, PayloadError> {
        let Some(account) = payload.find_template(MERCHANT_ACCOUNTS, UNIQUE_ID) else { return Ok(None) };
        let amount = payload.amount(Self::SCHEME, "BR")?;
        let (name, city) = (payload.required(&[MERCHANT_NAME])?, payload.required(&[MERCHANT_CITY])?);
        let recurrence = match payload.find_template(UNRESERVED, UNIQUE_ID) {
            Some(id) => payload.optional(&[id, LOCATION])?,
            None => None,
        };
        let key = payload.optional(&[account, KEY])?;
        let location = payload.optional(&[account, LOCATION])?;
        Ok(Some(match (key, location, recurrence) {
            (Some(key), None, _) => {
                let reference = payload.text(&[ADDITIONAL_DATA, REFERENCE_LABEL]);
                let reference = reference.filter(|text| *text != NO_TRANSACTION_ID);
                let reference = reference.map(|text| TransactionId(text.to_owned()));
                let description = payload.optional(&[account, DESCRIPTION])?;
                Self::Static(StaticCode { key, name, city, amount, reference, description })
            }
            (None, Some(location), recurrence) => {
                Self::Dynamic(DynamicCode { location, name, city, amount, recurrence })
            }
            (None, None, Some(location)) => Self::Recurrence(RecurrenceCode { location, name, city }),
            (None, None, None) => return Err(PayloadFieldError::Missing.at(&[account, KEY])),
            (Some(_), Some(_), _) => {
                let error = PayloadFieldError::Format("absent, because there is a key");
                return Err(error.at(&[account, LOCATION]));
            }
        }))
    }

    fn to_emv(&self) -> Result<EmvPayload, PayloadError> {
        match self {
            Self::Static(code) => code.to_emv(),
            Self::Dynamic(code) => code.to_emv(),
            Self::Recurrence(code) => code.to_emv(),
        }
    }
}

impl StaticCode {
    fn to_emv(&self) -> Result<EmvPayload, PayloadError> {
        let reference = match &self.reference {
            // An id from another payload can have characters that we do not write.
            Some(id) => {
                check_transaction_id(id.as_str())
                    .map_err(|error| error.at(&[ADDITIONAL_DATA, REFERENCE_LABEL]))?;
                id.as_str()
            }
            None => NO_TRANSACTION_ID,
        };
        if let Some(description) = &self.description {
            let max = KEY_AND_DESCRIPTION.saturating_sub(self.key.as_str().len());
            check_length(description.as_str(), 1, max).map_err(|error| error.at(&[ACCOUNT, DESCRIPTION]))?;
        }
        let account = pix_template().with(KEY, &self.key).with_some(DESCRIPTION, self.description.as_ref());
        let objects = Template::default().with(PAYLOAD_FORMAT, "01").with_template(ACCOUNT, account);
        let objects = with_merchant(objects, self.amount, &self.name, &self.city, reference)?;
        Ok(EmvPayload::new(objects)?)
    }
}

impl DynamicCode {
    fn to_emv(&self) -> Result<EmvPayload, PayloadError> {
        let objects = Template::default()
            .with(PAYLOAD_FORMAT, "01")
            .with(POINT_OF_INITIATION, InitiationMethod::Once.code())
            .with_template(ACCOUNT, pix_template().with(LOCATION, &self.location));
        let objects = with_merchant(objects, self.amount, &self.name, &self.city, NO_TRANSACTION_ID)?;
        Ok(EmvPayload::new(with_recurrence(objects, self.recurrence.as_ref()))?)
    }
}

impl RecurrenceCode {
    fn to_emv(&self) -> Result<EmvPayload, PayloadError> {
        let objects = Template::default().with(PAYLOAD_FORMAT, "01").with_template(ACCOUNT, pix_template());
        let objects = with_merchant(objects, None, &self.name, &self.city, NO_TRANSACTION_ID)?;
        Ok(EmvPayload::new(with_recurrence(objects, Some(&self.location)))?)
    }
}

fn pix_template() -> Template {
    Template::default().with(GLOBALLY_UNIQUE_ID, UNIQUE_ID)
}

/// Appends the data objects from 52 to 62.
fn with_merchant(
    objects: Template,
    amount: Option<Amount>,
    name: &MerchantName,
    city: &MerchantCity,
    reference: &str,
) -> Result<Template, PayloadError> {
    let name = MerchantName::folded(name.as_str()).map_err(|error| error.at(&[MERCHANT_NAME]))?;
    let city = MerchantCity::folded(city.as_str()).map_err(|error| error.at(&[MERCHANT_CITY]))?;
    Ok(objects
        .with(MERCHANT_CATEGORY, "0000")
        .with(CURRENCY, currency_code(Scheme::Pix))
        .with_some(TRANSACTION_AMOUNT, amount_text(amount, Scheme::Pix)?)
        .with(COUNTRY, "BR")
        .with(MERCHANT_NAME, name)
        .with(MERCHANT_CITY, city)
        .with_template(ADDITIONAL_DATA, Template::default().with(REFERENCE_LABEL, reference)))
}

fn with_recurrence(objects: Template, location: Option<&PayloadLocation>) -> Template {
    match location {
        Some(location) => objects.with_template(RECURRENCE, pix_template().with(LOCATION, location)),
        None => objects,
    }
}

fn check_transaction_id(text: &str) -> Result<(), PayloadFieldError> {
    check_length(text, 1, 25)?;
    check_format(is_alphanumeric(text), "letters without accents and digits")
}

fn check_location(text: &str) -> Result<(), PayloadFieldError> {
    check_length(text, 1, 77)?;
    let is_graphic = text.bytes().all(|byte| byte.is_ascii_graphic());
    check_format(is_graphic && text.contains('/') && !text.contains("://"), "a URL without https://")
}
