//! The point of initiation method (EMVCo MPM v1.1, data object `01`).

use serde::Serialize;

use super::{
    amount::Amount,
    emv::{EmvPayload, POINT_OF_INITIATION},
};

/// Whether a code can be paid several times.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum InitiationMethod {
    /// `11`, a static code: several payments.
    Reusable,
    /// `12`, a dynamic code: one payment.
    Once,
}

impl InitiationMethod {
    pub(super) fn code(self) -> &'static str {
        match self {
            Self::Reusable => "11",
            Self::Once => "12",
        }
    }

    /// Reads the data object. Without it, a code is reusable (EMVCo MPM v1.1).
    pub(super) fn from_emv(payload: &EmvPayload) -> Self {
        if payload.text(&[POINT_OF_INITIATION]) == Some("12") { Self::Once } else { Self::Reusable }
    }

    /// A code with an amount is for one payment.
    pub(super) fn for_amount(amount: Option<Amount>) -> Self {
        if amount.is_some() { Self::Once } else { Self::Reusable }
    }
}
