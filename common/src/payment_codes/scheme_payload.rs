//! Payloads of the EMV schemes: the fields of the scheme, and the data objects that hold them.

use serde::Serialize;

use super::{emv::EmvPayload, payload_error::PayloadError, scheme::Scheme};

/// The fields of one scheme, and their conversion from and to an EMV payload.
pub trait SchemeFields: Sized {
    const SCHEME: Scheme;

    /// Reads the fields. Returns `None` if the payload belongs to another scheme.
    ///
    /// # Errors
    /// The payload belongs to this scheme and breaks one of its rules.
    fn from_emv(payload: &EmvPayload) -> Result<Option<Self>, PayloadError>;

    /// Makes the payload of these fields.
    ///
    /// # Errors
    /// The fields contradict each other, or are too long for a payload.
    fn to_emv(&self) -> Result<EmvPayload, PayloadError>;
}

/// An EMV payload of one scheme: its fields, and all its data objects. The data objects can hold
/// more than the fields. In JSON the fields and `objects`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SchemePayload<F> {
    #[serde(flatten)]
    fields: F,
    #[serde(rename = "objects")]
    emv: EmvPayload,
}

impl<F: SchemeFields> SchemePayload<F> {
    /// Makes the payload of these fields.
    ///
    /// # Errors
    /// The fields contradict each other, or are too long for a payload.
    pub fn new(fields: F) -> Result<Self, PayloadError> {
        let emv = fields.to_emv()?;
        // The payload can differ from the fields: Pix converts names to ASCII.
        let fields = F::from_emv(&emv)?.unwrap_or(fields);
        Ok(Self { fields, emv })
    }

    /// Reads the fields. Returns `None` if the payload belongs to another scheme.
    pub(super) fn from_emv(emv: &EmvPayload) -> Result<Option<Self>, PayloadError> {
        let fields = F::from_emv(emv)?;
        Ok(fields.map(|fields| Self { fields, emv: emv.clone() }))
    }

    #[must_use]
    pub fn fields(&self) -> &F {
        &self.fields
    }

    /// The payload with all data objects.
    #[must_use]
    pub fn emv(&self) -> &EmvPayload {
        &self.emv
    }
}
