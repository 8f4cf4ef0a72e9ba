//! What the EMV schemes have in common: fields on one side, objects on the other.

use serde::Serialize;

use super::{
    PayloadError, Scheme, emv,
    field::{Amount, FieldError},
};

/// What a scheme says in an EMV payload.
pub trait Fields: Sized {
    const SCHEME: Scheme;

    /// Reads the fields; none if the payload is of another scheme.
    ///
    /// # Errors
    /// It is of this scheme, and breaks a rule of it.
    fn read(payload: &emv::Payload) -> Result<Option<Self>, PayloadError>;

    /// Makes the payload that says this.
    ///
    /// # Errors
    /// The fields do not fit together, or not into a payload.
    fn write(&self) -> Result<emv::Payload, PayloadError>;
}

/// A payload of a scheme: its fields, and all its objects, those that no field stands for included.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Reading<F> {
    #[serde(flatten)]
    fields: F,
    objects: emv::Payload,
}

impl<F: Fields> Reading<F> {
    /// # Errors
    /// The fields do not fit together, or not into a payload.
    pub fn new(fields: F) -> Result<Self, PayloadError> {
        let objects = fields.write()?;
        // What the payload says counts: Pix, for one, has put names into plain letters.
        let fields = F::read(&objects)?.unwrap_or(fields);
        Ok(Self { fields, objects })
    }

    /// None if the payload is of another scheme.
    pub(super) fn of(objects: &emv::Payload) -> Result<Option<Self>, PayloadError> {
        let fields = F::read(objects)?;
        Ok(fields.map(|fields| Self { fields, objects: objects.clone() }))
    }

    #[must_use]
    pub fn fields(&self) -> &F {
        &self.fields
    }

    #[must_use]
    pub fn objects(&self) -> &emv::Payload {
        &self.objects
    }
}

/// Whether a code may be paid more than once: object `01`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Initiation {
    Reusable,
    Once,
}

impl Initiation {
    pub(super) fn code(self) -> &'static str {
        match self {
            Self::Reusable => "11",
            Self::Once => "12",
        }
    }

    /// EMVCo: a payload that does not say is reusable.
    pub(super) fn read(payload: &emv::Payload) -> Self {
        if payload.text(&[1]) == Some("12") { Self::Once } else { Self::Reusable }
    }

    /// A code that asks for an amount is meant for one payment.
    pub(super) fn by_amount(amount: Option<Amount>) -> Self {
        if amount.is_some() { Self::Once } else { Self::Reusable }
    }
}

/// The currency's number, as object `53` has it.
pub(super) fn currency_code(scheme: Scheme) -> String {
    format!("{:03}", scheme.currency().numeric())
}

/// Checks currency and country, and reads the amount.
pub(super) fn amount(
    payload: &emv::Payload,
    scheme: Scheme,
    country: &'static str,
) -> Result<Option<Amount>, PayloadError> {
    let currency = scheme.currency();
    if payload.text(&[53]) != Some(&currency_code(scheme)) {
        return Err(FieldError::Currency(currency).at(&[53]));
    }
    payload.fixed(&[58], country)?;
    // EMVCo lets a whole amount end with the point.
    let text = payload.text(&[54]).map(|text| text.strip_suffix('.').unwrap_or(text));
    text.map(|text| Amount::parse(text, currency)).transpose().map_err(|error| error.at(&[54]))
}

/// The amount as object `54` has it.
pub(super) fn amount_text(amount: Option<Amount>, scheme: Scheme) -> Result<Option<String>, PayloadError> {
    amount.map(|amount| amount.full(scheme.currency())).transpose().map_err(|error| error.at(&[54]))
}

/// The amount as object `54` has it in schemes whose published payloads leave `.00` out.
pub(super) fn short_amount_text(
    amount: Option<Amount>,
    scheme: Scheme,
) -> Result<Option<String>, PayloadError> {
    amount.map(|amount| amount.short(scheme.currency())).transpose().map_err(|error| error.at(&[54]))
}
