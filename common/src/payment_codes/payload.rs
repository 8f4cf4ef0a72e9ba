//! Any payment code, of whatever scheme.

use serde::Serialize;

use super::{PayloadError, Reading, emv, epc, fps, paynow, pix, promptpay, vietqr};

/// What a payment code says. In JSON the scheme, its fields, and `objects`: everything that the payload holds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "scheme", rename_all = "snake_case")]
pub enum Payload {
    Pix(Reading<pix::Pix>),
    Promptpay(Reading<promptpay::Promptpay>),
    Paynow(Reading<paynow::Paynow>),
    Vietqr(Reading<vietqr::Vietqr>),
    Fps(Reading<fps::Fps>),
    Sepa(epc::Transfer),
    /// A valid payload of a scheme that is not known here.
    Emv(Other),
}

/// The objects alone.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Other {
    pub objects: emv::Payload,
}

impl Payload {
    /// Reads what a QR code says, without surrounding space. A code of several schemes is read
    /// as of the first in the order of [`Scheme::ALL`].
    ///
    /// # Errors
    /// It is neither EMV nor EPC, or breaks a rule of its scheme.
    pub fn parse(text: &str) -> Result<Self, PayloadError> {
        if text.starts_with("BCD") {
            return epc::Transfer::parse(text).map(Self::Sepa);
        }
        let objects = emv::Payload::parse(text)?;
        Ok(if let Some(reading) = Reading::of(&objects)? {
            Self::Pix(reading)
        } else if let Some(reading) = Reading::of(&objects)? {
            Self::Promptpay(reading)
        } else if let Some(reading) = Reading::of(&objects)? {
            Self::Paynow(reading)
        } else if let Some(reading) = Reading::of(&objects)? {
            Self::Vietqr(reading)
        } else if let Some(reading) = Reading::of(&objects)? {
            Self::Fps(reading)
        } else {
            Self::Emv(Other { objects })
        })
    }

    /// The text for the QR code. That of an EMV payload is the one that was parsed, to the byte.
    ///
    /// # Errors
    /// The fields of a SEPA transfer do not fit together.
    pub fn encode(&self) -> Result<String, PayloadError> {
        Ok(match self {
            Self::Pix(reading) => reading.objects().encode(),
            Self::Promptpay(reading) => reading.objects().encode(),
            Self::Paynow(reading) => reading.objects().encode(),
            Self::Vietqr(reading) => reading.objects().encode(),
            Self::Fps(reading) => reading.objects().encode(),
            Self::Sepa(transfer) => transfer.encode()?,
            Self::Emv(Other { objects }) => objects.encode(),
        })
    }
}

/// Declares that the fields of a scheme make a payload of it.
macro_rules! from_fields {
    ($($variant:ident: $fields:ty;)+) => {$(
        impl TryFrom<$fields> for Payload {
            type Error = PayloadError;

            fn try_from(fields: $fields) -> Result<Self, PayloadError> {
                Reading::new(fields).map(Self::$variant)
            }
        }
    )+};
}

from_fields! {
    Pix: pix::Pix;
    Promptpay: promptpay::Promptpay;
    Paynow: paynow::Paynow;
    Vietqr: vietqr::Vietqr;
    Fps: fps::Fps;
}
