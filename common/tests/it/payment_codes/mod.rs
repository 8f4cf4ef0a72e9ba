mod images;
mod json;
mod random;
mod strategies;
mod vectors;

use guildhall_common::payment_codes::{Payload, PayloadError, epc, fps, paynow, pix, promptpay, vietqr};

/// The fields of any scheme.
#[derive(Debug, Clone, PartialEq)]
enum Anything {
    Pix(pix::Pix),
    Promptpay(promptpay::Promptpay),
    Paynow(paynow::Paynow),
    Vietqr(vietqr::Vietqr),
    Fps(fps::Fps),
    Sepa(epc::Transfer),
}

impl Anything {
    /// What a payload says; none if it is of no scheme.
    fn of(payload: &Payload) -> Option<Self> {
        Some(match payload {
            Payload::Pix(reading) => Self::Pix(reading.fields().clone()),
            Payload::Promptpay(reading) => Self::Promptpay(reading.fields().clone()),
            Payload::Paynow(reading) => Self::Paynow(reading.fields().clone()),
            Payload::Vietqr(reading) => Self::Vietqr(reading.fields().clone()),
            Payload::Fps(reading) => Self::Fps(reading.fields().clone()),
            Payload::Sepa(transfer) => Self::Sepa(transfer.clone()),
            Payload::Emv(_) => return None,
        })
    }

    /// The payload that is made of the fields alone.
    fn payload(self) -> Result<Payload, PayloadError> {
        match self {
            Self::Pix(fields) => fields.try_into(),
            Self::Promptpay(fields) => fields.try_into(),
            Self::Paynow(fields) => fields.try_into(),
            Self::Vietqr(fields) => fields.try_into(),
            Self::Fps(fields) => fields.try_into(),
            Self::Sepa(transfer) => Ok(Payload::Sepa(transfer)),
        }
    }

    fn encode(self) -> Result<String, PayloadError> {
        self.payload()?.encode()
    }
}
