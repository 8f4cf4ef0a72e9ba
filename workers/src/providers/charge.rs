//! Charges, and the receipts and refunds that a provider reports for one.

use chrono::{DateTime, TimeDelta, Utc};
use guildhall_common::{contract::values::Timestamp, money::Money, payment_codes::Scheme};
use serde::{Deserialize, Deserializer, de::Error};

/// A charge to register with a provider.
pub(crate) struct Charge {
    pub(crate) scheme: Scheme,
    pub(crate) reference: String,
    pub(crate) amount: Money,
    /// How long the player can pay it; whole seconds.
    pub(crate) lifetime: TimeDelta,
}

/// A provider's report about one charge: all receipts so far.
#[derive(Debug, Default)]
pub(crate) struct ChargeReport {
    pub(crate) receipts: Vec<ReportedReceipt>,
}

/// Money that was received, as a provider reports it.
#[derive(Debug)]
pub(crate) struct ReportedReceipt {
    pub(crate) end_to_end_id: String,
    pub(crate) amount: Money,
    pub(crate) received_at: DateTime<Utc>,
    /// Set if no coins may be credited for it before an administrator has checked it.
    pub(crate) held_because: Option<String>,
    pub(crate) refunds: Vec<ReportedRefund>,
}

/// Money that is sent back, as a provider reports it.
#[derive(Debug)]
pub(crate) struct ReportedRefund {
    pub(crate) refund_id: String,
    pub(crate) amount: Money,
    pub(crate) state: RefundState,
    /// True if the payment scheme took the money back. False if the receiver sent it back.
    pub(crate) is_reversal: bool,
    pub(crate) reason: String,
    /// None if the provider does not report the time.
    pub(crate) requested_at: Option<DateTime<Utc>>,
}

/// A refund to send.
pub(crate) struct RefundOrder {
    /// The receipt whose money is sent back.
    pub(crate) end_to_end_id: String,
    pub(crate) refund_id: String,
    pub(crate) amount: Money,
}

/// The state of a refund.
#[derive(Debug, Clone, Copy, PartialEq, Eq, sqlx::Type)]
#[sqlx(type_name = "text", rename_all = "snake_case")]
pub(crate) enum RefundState {
    Pending,
    Done,
    Failed,
}

impl RefundState {
    /// The name in the database.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Done => "done",
            Self::Failed => "failed",
        }
    }
}

/// Reads a time that the database can store. Banks write times in more ways than a [`Timestamp`] allows.
pub(super) fn stored_time<'de, D: Deserializer<'de>>(from: D) -> Result<DateTime<Utc>, D::Error> {
    Timestamp::try_from(DateTime::deserialize(from)?).map(|time| time.0).map_err(D::Error::custom)
}
