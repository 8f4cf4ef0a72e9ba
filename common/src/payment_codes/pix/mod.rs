//! Pix, Brazil's scheme.
//!
//! Source: the central bank's manual of standards for starting a Pix (BR Code), and the
//! examples of its API Pix.

mod key;

use serde::Serialize;

pub use self::key::{Cnpj, Cpf, Email, Evp, Phone, PixKey};
use super::{
    Amount, Fields, MerchantCity, MerchantName, PayloadError, Scheme,
    emv::{self, Template},
    field::{FieldError, checked_texts, form, length, line},
    reading,
};

/// Names Pix in a template; some banks write it in capitals.
const NAME: &str = "br.gov.bcb.pix";

/// Says that there is no reference.
const NO_REFERENCE: &str = "***";

/// What is left of a template of 99 for key and description: name, ids and lengths take 26.
const KEY_AND_DESCRIPTION: usize = 73;

/// A Pix code says where the money goes, or where to fetch that.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Pix {
    Static(Static),
    Dynamic(Dynamic),
    Recurrence(Recurrence),
}

/// A code that stands alone and can be paid again and again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Static {
    pub key: PixKey,
    /// Written in plain letters.
    pub name: MerchantName,
    /// Written in plain letters.
    pub city: MerchantCity,
    /// None: the payer types it.
    pub amount: Option<Amount>,
    pub reference: Option<Reference>,
    /// Shares 73 characters with the key.
    pub description: Option<Description>,
}

/// A code for one charge, which the payer's bank fetches from the location.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Dynamic {
    pub location: Location,
    pub name: MerchantName,
    pub city: MerchantCity,
    /// The charge is what counts; some banks repeat its amount.
    pub amount: Option<Amount>,
    /// Where to agree on further payments, if they are offered too.
    pub recurrence: Option<Location>,
}

/// A code that asks for an agreement on payments to come, and for none now.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Recurrence {
    pub location: Location,
    pub name: MerchantName,
    pub city: MerchantCity,
}

checked_texts! {
    /// What the receiver knows the payment by (`txid`): 1 to 25 of `[a-zA-Z0-9]`. A payload that was
    /// read may have other characters here.
    Reference: reference;
    /// What the payer reads: 1 to 72 characters.
    Description: line::<72>;
    /// A URL without its scheme: 1 to 77 characters.
    Location: location;
}

impl Fields for Pix {
    const SCHEME: Scheme = Scheme::Pix;

    fn read(payload: &emv::Payload) -> Result<Option<Self>, PayloadError> {
        let Some(account) = payload.template_of(emv::ACCOUNTS, NAME) else { return Ok(None) };
        let amount = reading::amount(payload, Self::SCHEME, "BR")?;
        let (name, city) = (payload.required(&[59])?, payload.required(&[60])?);
        let recurrence = match payload.template_of(emv::UNRESERVED, NAME) {
            Some(id) => payload.optional(&[id, 25])?,
            None => None,
        };
        let key = payload.optional(&[account, 1])?;
        let location = payload.optional(&[account, 25])?;
        Ok(Some(match (key, location, recurrence) {
            (Some(key), None, _) => {
                let reference = payload.text(&[62, 5]).filter(|text| *text != NO_REFERENCE);
                let reference = reference.map(|text| Reference(text.to_owned()));
                let description = payload.optional(&[account, 2])?;
                Self::Static(Static { key, name, city, amount, reference, description })
            }
            (None, Some(location), recurrence) => {
                Self::Dynamic(Dynamic { location, name, city, amount, recurrence })
            }
            (None, None, Some(location)) => Self::Recurrence(Recurrence { location, name, city }),
            (None, None, None) => return Err(FieldError::Missing.at(&[account, 1])),
            (Some(_), Some(_), _) => {
                return Err(FieldError::Form("left out where there is a key").at(&[account, 25]));
            }
        }))
    }

    fn write(&self) -> Result<emv::Payload, PayloadError> {
        match self {
            Self::Static(fields) => fields.write(),
            Self::Dynamic(Dynamic { location, name, city, amount, recurrence }) => {
                let objects = Template::default().with(0, "01").with(1, "12");
                let objects = objects.with_template(26, account().with(25, location));
                let objects = merchant(objects, *amount, name, city, NO_REFERENCE)?;
                sealed(objects, recurrence.as_ref())
            }
            Self::Recurrence(Recurrence { location, name, city }) => {
                let objects = Template::default().with(0, "01").with_template(26, account());
                sealed(merchant(objects, None, name, city, NO_REFERENCE)?, Some(location))
            }
        }
    }
}

impl Static {
    fn write(&self) -> Result<emv::Payload, PayloadError> {
        let reference = match &self.reference {
            // One that was read may be none that is written.
            Some(text) => {
                reference(text.as_str()).map_err(|error| error.at(&[62, 5]))?;
                text.as_str()
            }
            None => NO_REFERENCE,
        };
        if let Some(description) = &self.description {
            let room = KEY_AND_DESCRIPTION.saturating_sub(self.key.as_str().len());
            length(description.as_str(), 1, room).map_err(|error| error.at(&[26, 2]))?;
        }
        let account = account().with(1, &self.key).with_some(2, self.description.as_ref());
        let objects = Template::default().with(0, "01").with_template(26, account);
        sealed(merchant(objects, self.amount, &self.name, &self.city, reference)?, None)
    }
}

fn account() -> Template {
    Template::default().with(0, NAME)
}

/// The objects from 52 to 62.
fn merchant(
    objects: Template,
    amount: Option<Amount>,
    name: &MerchantName,
    city: &MerchantCity,
    reference: &str,
) -> Result<Template, PayloadError> {
    Ok(objects
        .with(52, "0000")
        .with(53, reading::currency_code(Scheme::Pix))
        .with_some(54, reading::amount_text(amount, Scheme::Pix)?)
        .with(58, "BR")
        .with(59, MerchantName::folded(name.as_str()).map_err(|error| error.at(&[59]))?)
        .with(60, MerchantCity::folded(city.as_str()).map_err(|error| error.at(&[60]))?)
        .with_template(62, Template::default().with(5, reference)))
}

fn sealed(objects: Template, recurrence: Option<&Location>) -> Result<emv::Payload, PayloadError> {
    let recurrence = recurrence.map(|location| account().with(25, location)).unwrap_or_default();
    Ok(emv::Payload::new(objects.with_template(80, recurrence))?)
}

fn reference(text: &str) -> Result<(), FieldError> {
    length(text, 1, 25)?;
    form(text.bytes().all(|byte| byte.is_ascii_alphanumeric()), "letters without accents and digits")
}

fn location(text: &str) -> Result<(), FieldError> {
    length(text, 1, 77)?;
    let plain = text.bytes().all(|byte| byte.is_ascii_graphic()) && !text.contains("://");
    form(plain && text.contains('/'), "a URL without https://")
}

#[cfg(test)]
mod tests;
