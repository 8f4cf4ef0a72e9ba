mod images;
mod json;
mod random;
mod strategies;
mod vectors;

use guildhall_common::payment_codes::{
    PayloadError, PaymentCode, epc::CreditTransfer, fps::Fps, paynow::Paynow, pix::Pix, promptpay::Promptpay,
    vietqr::Vietqr,
};

/// The fields of any scheme.
#[derive(Debug, Clone, PartialEq)]
enum AnyFields {
    Pix(Pix),
    Promptpay(Promptpay),
    Paynow(Paynow),
    Vietqr(Vietqr),
    Fps(Fps),
    Sepa(CreditTransfer),
}

impl AnyFields {
    /// The fields of a payment code. `None` if its scheme is unknown.
    fn of(code: &PaymentCode) -> Option<Self> {
        Some(match code {
            PaymentCode::Pix(payload) => Self::Pix(payload.fields().clone()),
            PaymentCode::Promptpay(payload) => Self::Promptpay(payload.fields().clone()),
            PaymentCode::Paynow(payload) => Self::Paynow(payload.fields().clone()),
            PaymentCode::Vietqr(payload) => Self::Vietqr(payload.fields().clone()),
            PaymentCode::Fps(payload) => Self::Fps(payload.fields().clone()),
            PaymentCode::Sepa(transfer) => Self::Sepa(transfer.clone()),
            PaymentCode::Emv { .. } => return None,
        })
    }

    /// Makes a payment code of the fields alone.
    fn into_code(self) -> Result<PaymentCode, PayloadError> {
        match self {
            Self::Pix(fields) => fields.try_into(),
            Self::Promptpay(fields) => fields.try_into(),
            Self::Paynow(fields) => fields.try_into(),
            Self::Vietqr(fields) => fields.try_into(),
            Self::Fps(fields) => fields.try_into(),
            Self::Sepa(transfer) => Ok(PaymentCode::Sepa(transfer)),
        }
    }

    fn encode(self) -> Result<String, PayloadError> {
        self.into_code()?.encode()
    }
}
