//! Instant payments: commands, outcomes, refusals. In the files beside this one the payloads that QR
//! codes carry, and their images. All of that is pure: no bank is asked, so a payload that is right may
//! still name nobody.
//!
//! Sources of the payloads: EMVCo QR Code Specification, Merchant-Presented Mode, v1.1; the rules of each
//! scheme, named in its file; EPC069-12.

pub mod emv;
pub mod epc;
mod error;
mod field;
pub mod fps;
mod notification;
mod payload;
pub mod paynow;
pub mod pix;
pub mod price;
pub mod promptpay;
mod qr;
mod reading;
mod scheme;
pub mod vietqr;

use chrono::{DateTime, Utc};
use poem_openapi::{Enum, Object};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

pub use self::{
    error::PayloadError,
    field::{
        Amount, BillNumber, FieldError, MerchantCity, MerchantName, Purpose, ReferenceLabel, TerminalLabel,
    },
    notification::{Notification, Notify, Unreadable},
    payload::{Other, Payload},
    qr::{Qr, QrError},
    reading::{Fields, Initiation, Reading},
    scheme::{Scheme, UnknownScheme},
};
use crate::{
    cache::Key, domain, game::AccountId, ids, money::Money, numbers, refusals, texts, values::TITLE,
};

domain! {
    PaymentCommand = "payments" {
        "payment.create" => CreatePayment -> PaymentCreated,
        "payment.cancel" => CancelPayment -> PaymentCancelled,
        "payment.refund" => RefundPayment -> PaymentRefunded,
        "payment.notify" => Notify -> Notified,
        "payment.replay_notification" => ReplayNotification -> NotificationReplayed,
        "coins.adjust" => AdjustCoins -> CoinsAdjusted,
    }
}

texts! {
    /// Why an administrator did something, for whoever asks later.
    Reason { 1 ..= 200, TITLE, "Paid twice by mistake." }
}

ids! {
    /// A package of coins.
    PackageId
    /// What a bank told once.
    NotificationId
}

numbers! {
    /// Coins to buy.
    CoinCount(i64, "int64") { 1 ..= 1_000_000_000, 250 }
    /// Coins to give, or below zero to take.
    CoinChange(i64, "int64") { -1_000_000_000 ..= 1_000_000_000, 100 }
}

/// Who moves the money.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, Enum)]
#[oai(rename_all = "snake_case")]
#[serde(rename_all = "snake_case")]
pub enum Provider {
    /// A bank that offers the central bank's API Pix.
    ApiPix,
    /// A bank account of the community's; its owner's own bridge tells of payments.
    Manual,
}

impl Provider {
    /// As it is stored.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::ApiPix => "api_pix",
            Self::Manual => "manual",
        }
    }
}

/// How a payment stands. It follows from the money that came and went, in any order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, Enum)]
#[oai(rename_all = "snake_case")]
#[serde(rename_all = "snake_case")]
pub enum PaymentStatus {
    /// The provider has not taken it yet.
    Created,
    /// It can be paid.
    Pending,
    Paid,
    /// Paid in full after it had expired; credited all the same.
    PaidLate,
    /// Less came than was asked; what came is credited.
    Underpaid,
    /// More came than was asked; all of it is credited.
    Overpaid,
    /// Not paid in time. Money may still come, and counts.
    Expired,
    Cancelled,
    /// The provider would not take it.
    Failed,
    /// Money came that does not fit, and somebody has to look.
    Review,
    RefundPending,
    PartiallyRefunded,
    Refunded,
    /// The payment scheme took the money back.
    Reversed,
}

/// What is asked for.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Wanted {
    Package(PackageId),
    Coins(CoinCount),
}

/// Ask for money. Settled when the provider has taken the charge.
#[derive(Debug, Serialize, Deserialize)]
pub struct CreatePayment {
    pub wanted: Wanted,
    /// None: of the package's currency, or else the site's usual one.
    pub scheme: Option<Scheme>,
}

/// Stop asking.
#[derive(Debug, Serialize, Deserialize)]
pub struct CancelPayment {
    pub payment_id: Uuid,
}

/// Send money back, and take its coins.
#[derive(Debug, Serialize, Deserialize)]
pub struct RefundPayment {
    pub payment_id: Uuid,
    /// None: all that is left of it.
    pub amount: Option<Money>,
    pub reason: Reason,
}

/// Look once more into a notification that was parked.
#[derive(Debug, Serialize, Deserialize)]
pub struct ReplayNotification {
    pub notification_id: NotificationId,
}

/// Give coins to an account, or take some, by hand.
#[derive(Debug, Serialize, Deserialize)]
pub struct AdjustCoins {
    pub account_id: AccountId,
    pub coins: CoinChange,
    pub reason: Reason,
}

/// A payment that can be made now.
#[derive(Debug, Serialize, Deserialize, Object)]
#[oai(example)]
pub struct PaymentCreated {
    pub payment_id: Uuid,
    pub status: PaymentStatus,
    pub scheme: Scheme,
    pub amount: Money,
    /// Credited when exactly the amount is paid.
    pub coins: i64,
    /// What the QR code says; a bank app also takes it as text.
    pub payload: String,
    /// The QR code as a PNG, as a `data:` URL.
    pub image: String,
    pub expires_at: DateTime<Utc>,
}

/// A payment is no longer asked for.
#[derive(Debug, Serialize, Deserialize, Object)]
#[oai(example)]
pub struct PaymentCancelled {
    pub payment_id: Uuid,
    pub status: PaymentStatus,
}

/// Money is on its way back.
#[derive(Debug, Serialize, Deserialize, Object)]
#[oai(example)]
pub struct PaymentRefunded {
    pub payment_id: Uuid,
    pub status: PaymentStatus,
    pub amount: Money,
    /// Coins that were taken.
    pub coins: i64,
    /// The account's coins; below zero if it had spent them.
    pub balance: i64,
}

/// What was told is kept.
#[derive(Debug, Serialize, Deserialize)]
pub struct Notified {
    pub kept: i64,
}

/// A notification is looked into again.
#[derive(Debug, Serialize, Deserialize, Object)]
#[oai(example)]
pub struct NotificationReplayed {
    pub notification_id: i64,
}

/// Coins were given or taken.
#[derive(Debug, Serialize, Deserialize, Object)]
#[oai(example)]
pub struct CoinsAdjusted {
    pub account_id: i64,
    pub balance: i64,
}

refusals! {
    PaymentRefusal {
        NotFound PaymentNotFound "payment_not_found" "There is no such payment of yours.";
        NotFound PackageNotFound "package_not_found" "There is no such coin package on sale.";
        NotFound NotificationNotFound "notification_not_found" "There is no such notification.";
        NotFound AccountNotFound "account_not_found" "There is no such account.";
        Conflict SchemeUnavailable "scheme_unavailable" "This site takes no payments by this scheme.";
        Conflict CurrencyMismatch "currency_mismatch" "The scheme moves another currency than this is priced in.";
        Conflict NoPrice "coins_not_sold" "Coins are sold in packages only, in this currency.";
        Conflict AmountTooLarge "amount_too_large" "The scheme cannot move this much at once.";
        Conflict TooManyOpen "too_many_open_payments" "There are too many open payments: pay or cancel one first.";
        Conflict TooManyAsked "too_many_payments" "Too many payments were asked for: try again in an hour.";
        Conflict ProviderRefused "provider_refused" "The payment provider does not take this payment.";
        Conflict ProviderAway "provider_unavailable" "The payment provider could not be reached in time.";
        Conflict CancelledMeanwhile "payment_cancelled" "The payment was cancelled before it could be made.";
        Conflict NotCancellable "payment_not_cancellable" "Only a payment that nobody has paid can be cancelled.";
        Conflict NothingToRefund "nothing_to_refund" "There is no money left of this payment to send back.";
        Conflict RefundTooLarge "refund_too_large" "This is more than what is left of the payment.";
        Conflict RefundUnsupported "refund_unsupported" "This scheme cannot send money back: do it at the bank, and tell of it by a signed notification.";
        Conflict NotificationSettled "notification_settled" "The books agree with this notification already.";
        Conflict NothingToAdjust "nothing_to_adjust" "Zero coins are nothing to give or to take.";
        Conflict NotEnoughCoins "not_enough_coins" "The account does not have that many coins.";
    }
}

/// The price list.
#[must_use]
pub fn packages_key() -> Key {
    Key::new("coin_packages", "")
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
    NotificationReplayed { "notification_id": 7 }
    CoinsAdjusted { "account_id": 3, "balance": 350 }
}
