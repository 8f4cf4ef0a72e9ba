//! A payment code of any scheme.

use serde::Serialize;

use super::{
    emv::EmvPayload, epc::CreditTransfer, fps::Fps, payload_error::PayloadError, paynow::Paynow, pix::Pix,
    promptpay::Promptpay, scheme_payload::SchemePayload, vietqr::Vietqr,
};

/// The parsed payload of a payment code. In JSON `scheme`, the fields of the scheme, and for EMV
/// payloads `objects`: all data objects.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "scheme", rename_all = "snake_case")]
pub enum PaymentCode {
    Pix(SchemePayload<Pix>),
    Promptpay(SchemePayload<Promptpay>),
    Paynow(SchemePayload<Paynow>),
    Vietqr(SchemePayload<Vietqr>),
    Fps(SchemePayload<Fps>),
    Sepa(CreditTransfer),
    /// A valid EMV payload of another scheme.
    Emv {
        #[serde(rename = "objects")]
        emv: EmvPayload,
    },
}

impl PaymentCode {
    /// Reads the text of a QR code. The text must have no surrounding spaces. A payload of several
    /// schemes is read as the first of them in the order of [`Scheme::ALL`](super::scheme::Scheme::ALL).
    ///
    /// # Errors
    /// The text is neither an EMV nor an EPC payload, or it breaks a rule of its scheme.
    pub fn parse(text: &str) -> Result<Self, PayloadError> {
        if text.starts_with("BCD") {
            return CreditTransfer::parse(text).map(Self::Sepa);
        }
        let emv = EmvPayload::parse(text)?;
        Ok(if let Some(payload) = SchemePayload::from_emv(&emv)? {
            Self::Pix(payload)
        } else if let Some(payload) = SchemePayload::from_emv(&emv)? {
            Self::Promptpay(payload)
        } else if let Some(payload) = SchemePayload::from_emv(&emv)? {
            Self::Paynow(payload)
        } else if let Some(payload) = SchemePayload::from_emv(&emv)? {
            Self::Vietqr(payload)
        } else if let Some(payload) = SchemePayload::from_emv(&emv)? {
            Self::Fps(payload)
        } else {
            Self::Emv { emv }
        })
    }

    /// The text for the QR code. A parsed EMV payload has the same bytes as before.
    ///
    /// # Errors
    /// The fields of a SEPA credit transfer contradict each other.
    pub fn encode(&self) -> Result<String, PayloadError> {
        Ok(match self {
            Self::Pix(payload) => payload.emv().encode(),
            Self::Promptpay(payload) => payload.emv().encode(),
            Self::Paynow(payload) => payload.emv().encode(),
            Self::Vietqr(payload) => payload.emv().encode(),
            Self::Fps(payload) => payload.emv().encode(),
            Self::Sepa(transfer) => transfer.encode()?,
            Self::Emv { emv } => emv.encode(),
        })
    }
}

/// Converts the fields of each scheme into a payment code.
macro_rules! from_fields {
    ($($variant:ident: $fields:ty;)+) => {$(
        impl TryFrom<$fields> for PaymentCode {
            type Error = PayloadError;

            fn try_from(fields: $fields) -> Result<Self, PayloadError> {
                SchemePayload::new(fields).map(Self::$variant)
            }
        }
    )+};
}

from_fields! {
    Pix: Pix;
    Promptpay: Promptpay;
    Paynow: Paynow;
    Vietqr: Vietqr;
    Fps: Fps;
}
