//! Instant payments: commands, outputs, refusals.

use chrono::{DateTime, Utc};
use poem_openapi::{Enum, Object};
use serde::{Deserialize, Serialize};

use super::{
    actor::Actor,
    coins::{
        AdjustCoins, CoinCount, CoinRateSet, CoinsAdjusted, CreateCoinPackage, EditCoinPackage, PackageId,
        PackageRetired, PackageSaved, RetireCoinPackage, SetCoinRate,
    },
    command::OperationId,
    notification::{
        DiscardNotification, NotificationDiscarded, NotificationReplayed, NotificationsStored,
        ReplayNotification, StoreNotifications,
    },
    partition_key::{PartitionKey, Partitioned},
    values::Reason,
};
use crate::{domain, id_types, money::Money, payment_codes::Scheme, refusals, uuid_ids};

domain! {
    PaymentCommand = "payments" {
        "payment.create" => CreatePayment -> PaymentCreated,
        "payment.cancel" => CancelPayment -> PaymentCancelled,
        "payment.refund" => RefundPayment -> PaymentRefunded,
        "payment.notify" => StoreNotifications -> NotificationsStored,
        "payment.replay_notification" => ReplayNotification -> NotificationReplayed,
        "payment.discard_notification" => DiscardNotification -> NotificationDiscarded,
        "coins.adjust" => AdjustCoins -> CoinsAdjusted,
        "coins.set_rate" => SetCoinRate -> CoinRateSet,
        "coins.create_package" => CreateCoinPackage -> PackageSaved,
        "coins.edit_package" => EditCoinPackage -> PackageSaved,
        "coins.retire_package" => RetireCoinPackage -> PackageRetired,
    }
}

impl Partitioned for PaymentCommand {
    fn partition_key(&self, actor: Actor) -> Option<PartitionKey> {
        match self {
            // An account may have a limited number of open payments.
            Self::CreatePayment(_) => actor.partition_key(),
            Self::CancelPayment(command) => Some(PartitionKey::new("payment", command.payment_id)),
            Self::RefundPayment(command) => Some(PartitionKey::new("payment", command.payment_id)),
            // A message may have notifications of several payments. Their rows are inserted in any order.
            Self::StoreNotifications(command) => {
                command.notifications.first().map(|first| PartitionKey::new("message", &first.body))
            }
            Self::ReplayNotification(command) => {
                Some(PartitionKey::new("notification", command.notification_id))
            }
            Self::DiscardNotification(command) => {
                Some(PartitionKey::new("notification", command.notification_id))
            }
            Self::AdjustCoins(command) => Some(PartitionKey::account(command.account_id)),
            // The price list is small and rarely changed.
            Self::SetCoinRate(_)
            | Self::CreateCoinPackage(_)
            | Self::EditCoinPackage(_)
            | Self::RetireCoinPackage(_) => None,
        }
    }

    fn is_always_accepted(&self) -> bool {
        matches!(self, Self::StoreNotifications(_))
    }
}

uuid_ids! {
    /// The id of a payment. It is the id of the operation that created the payment.
    PaymentId
}

id_types! {
    /// The id of a receipt.
    ReceiptId
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

/// Creates a payment. A deferred command: it is completed when the provider has registered the charge.
#[derive(Debug, Serialize, Deserialize)]
pub struct CreatePayment {
    #[serde(rename = "wanted")]
    pub target: PurchaseTarget,
    /// None selects the scheme of the package's currency, or else the default scheme of the site.
    pub scheme: Option<Scheme>,
}

/// Cancels a payment that is not paid.
#[derive(Debug, Serialize, Deserialize)]
pub struct CancelPayment {
    pub payment_id: PaymentId,
}

/// Sends money back and removes its coins.
#[derive(Debug, Serialize, Deserialize)]
pub struct RefundPayment {
    pub payment_id: PaymentId,
    /// None refunds everything that is left.
    pub amount: Option<Money>,
    pub reason: Reason,
}

/// A payment was created, and the player can pay it.
#[derive(Debug, Serialize, Deserialize, Object)]
#[oai(example)]
pub struct PaymentCreated {
    pub payment_id: PaymentId,
    pub status: PaymentStatus,
    pub scheme: Scheme,
    pub amount: Money,
    /// The coins that are credited when exactly the amount is paid.
    pub coins: i64,
    /// The payload of the QR code. A bank app also accepts it as text.
    pub payload: String,
    /// The QR code as a PNG, as a `data:` URL.
    pub image: String,
    pub expires_at: DateTime<Utc>,
}

/// A payment was cancelled.
#[derive(Debug, Serialize, Deserialize, Object)]
#[oai(example)]
pub struct PaymentCancelled {
    pub payment_id: PaymentId,
    pub status: PaymentStatus,
}

/// A refund was requested. The provider has not confirmed it yet.
#[derive(Debug, Serialize, Deserialize, Object)]
#[oai(example)]
pub struct PaymentRefunded {
    pub payment_id: PaymentId,
    pub status: PaymentStatus,
    pub amount: Money,
    /// The coins that were removed.
    pub coins: i64,
    /// The balance of the account. It is negative if the coins were spent.
    pub balance: i64,
}

refusals! {
    PaymentRefusal {
        NotFound PaymentNotFound "payment_not_found" "This payment does not exist, or it belongs to another account.";
        NotFound PackageNotFound "package_not_found" "This coin package is not on sale.";
        NotFound NotificationNotFound "notification_not_found" "This notification does not exist.";
        NotFound AccountNotFound "account_not_found" "This account does not exist.";
        Conflict SchemeUnavailable "scheme_unavailable" "This site does not accept this payment scheme.";
        Conflict CurrencyMismatch "currency_mismatch" "The currency is not that of the payment, or not that of the payment scheme.";
        Conflict NoPrice "coins_not_sold" "In this currency, coins are sold only in packages.";
        Conflict AmountTooLarge "amount_too_large" "The amount is larger than the payment scheme allows. Choose a smaller one.";
        Conflict TooManyOpen "too_many_open_payments" "The account has too many open payments. Pay or cancel one first.";
        Conflict TooManyCreated "too_many_payments" "The account has created too many payments. Try again in an hour.";
        Conflict ProviderRefused "provider_refused" "The payment provider refused this payment.";
        Conflict ProviderUnavailable "provider_unavailable" "The payment provider could not be reached in time.";
        Conflict CancelledMeanwhile "payment_cancelled" "The payment was cancelled before the provider registered it.";
        Conflict NotCancellable "payment_not_cancellable" "Only a payment without receipts can be cancelled.";
        Conflict NothingToRefund "nothing_to_refund" "No money of this payment is left to refund.";
        Conflict RefundTooLarge "refund_too_large" "The amount is larger than what is left of the payment.";
        Conflict RefundUnsupported "refund_unsupported" "This payment scheme cannot refund. Refund at the bank, and send a signed notification about it.";
        Conflict NotificationSettled "notification_settled" "This notification is already settled.";
        Conflict NotificationNotParked "notification_not_parked" "This notification is not parked.";
        Conflict RateMissing "rate_missing" "This currency has no rate. Set its rate first.";
        Conflict RateChanged "rate_changed" "Another administrator has changed the rate. Load it again.";
        Conflict PackageChanged "package_changed" "Another administrator has changed the coin package. Load it again.";
        Conflict NothingToAdjust "nothing_to_adjust" "The number of coins must not be zero.";
        Conflict NotEnoughCoins "not_enough_coins" "The account does not have that many coins.";
    }
}

crate::examples! {
    PaymentCreated {
        "payment_id": "0192f0c1-2a3b-7c4d-8e5f-60718293a4b5", "status": "pending", "scheme": "pix",
        "amount": { "amount": "25.00", "currency": "BRL" }, "coins": 250,
        "payload": "00020101021226760014br.gov.bcb.pix2554pix.example.com/qr/v2/8b3da2f39a4140d1a91abd93113bd4415204000053039865802BR5913Fulano de Tal6008BRASILIA62070503***630464E4",
        "image": "data:image/png;base64,iVBORw0KGgo=", "expires_at": "2030-01-31T12:30:00Z"
    }
    PaymentCancelled { "payment_id": "0192f0c1-2a3b-7c4d-8e5f-60718293a4b5", "status": "cancelled" }
    PaymentRefunded {
        "payment_id": "0192f0c1-2a3b-7c4d-8e5f-60718293a4b5", "status": "refund_pending",
        "amount": { "amount": "25.00", "currency": "BRL" }, "coins": 250, "balance": 0
    }
}

crate::wire_forms! {
    PaymentCommand r#"
        {"name":"payment.create","body":{"wanted":{"package":1},"scheme":null}}
        {"name":"payment.create","body":{"wanted":{"coins":250},"scheme":"pix"}}
        {"name":"payment.cancel","body":{"payment_id":"0192f0c1-2a3b-7c4d-8e5f-60718293a4b5"}}
        {"name":"payment.refund","body":{"payment_id":"0192f0c1-2a3b-7c4d-8e5f-60718293a4b5","amount":{"amount":"25.00","currency":"BRL"},"reason":"Paid twice."}}
        {"name":"payment.notify","body":{"provider":"api_pix","notifications":[{"id":null,"body":{"endToEndId":"E1"}}]}}
        {"name":"payment.notify","body":{"provider":"manual","notifications":[{"id":"msg_1","body":{}}]}}
        {"name":"payment.replay_notification","body":{"notification_id":7}}
        {"name":"payment.discard_notification","body":{"notification_id":7,"reason":"Sent for a test."}}
        {"name":"coins.adjust","body":{"account_id":3,"coins":-100,"reason":"A mistake."}}
        {"name":"coins.set_rate","body":{"price":{"amount":"1.00","currency":"BRL"},"coins":10,"expected_version":null}}
        {"name":"coins.set_rate","body":{"price":{"amount":"1.00","currency":"BRL"},"coins":10,"expected_version":1}}
        {"name":"coins.create_package","body":{"name":"A purse","price":{"amount":"25.00","currency":"BRL"},"coins":260,"position":10}}
        {"name":"coins.edit_package","body":{"package_id":1,"expected_version":1,"fields":{"name":"A purse","price":{"amount":"25.00","currency":"BRL"},"coins":260,"position":10}}}
        {"name":"coins.retire_package","body":{"package_id":1}}
    "#
}
