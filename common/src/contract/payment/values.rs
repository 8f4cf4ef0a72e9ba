//! The ids and the status of payments.

use poem_openapi::Enum;
use serde::{Deserialize, Serialize};

use crate::{
    contract::{
        coins::{CoinCount, PackageId},
        command::OperationId,
    },
    id_types, uuid_ids,
};

uuid_ids! {
    /// The id of a payment. It is the id of the operation that created the payment.
    PaymentId
}

id_types! {
    /// The id of a receipt.
    ReceiptId
    /// The id of a stored notification.
    NotificationId
}

impl From<OperationId> for PaymentId {
    fn from(id: OperationId) -> Self {
        Self(id.get())
    }
}

impl From<PaymentId> for OperationId {
    fn from(id: PaymentId) -> Self {
        id.get().into()
    }
}

/// The status of a payment. It depends on the sums received and returned, not on their order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, Enum, sqlx::Type)]
#[oai(rename_all = "snake_case")]
#[serde(rename_all = "snake_case")]
#[sqlx(type_name = "text", rename_all = "snake_case")]
pub enum PaymentStatus {
    /// The provider has not registered the charge yet.
    Created,
    /// The player can pay.
    Pending,
    Paid,
    /// Paid in full after the payment expired. The coins are credited.
    PaidLate,
    /// Less than the amount was received. Coins are credited for what was received.
    Underpaid,
    /// More than the amount was received. Coins are credited for all of it.
    Overpaid,
    /// Not paid in time. Money that is received later still counts.
    Expired,
    Cancelled,
    /// The provider refused the charge.
    Failed,
    /// Money was received that does not match. An administrator must check it.
    Review,
    RefundPending,
    PartiallyRefunded,
    Refunded,
    /// The payment scheme reversed the payment.
    Reversed,
}

/// The coins that a payment buys.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PurchaseTarget {
    Package(PackageId),
    Coins(CoinCount),
}
