//! Notifications of a provider, read from the provider's own format.

use guildhall_common::contract::providers::Notification;
use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::providers::charge::{ReportedReceipt, ReportedRefund};

/// The keys by which a notification is stored.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct NotificationKeys {
    /// Equal for repetitions of a notification, and for notifications about the same transfer.
    pub(crate) dedupe_key: String,
    /// The charge that the notification names.
    pub(crate) reference: Option<String>,
}

/// The claim that a notification makes.
#[derive(Debug)]
pub(crate) enum NotificationClaim {
    /// A claim that the provider must confirm: the sender of the notification is not proof enough.
    Transfer(TransferClaim),
    /// A signed receipt. The signature is the proof.
    SignedReceipt { reference: String, receipt: ReportedReceipt },
    /// A signed refund of the receipt that has this end-to-end id.
    SignedRefund { end_to_end_id: String, refund: ReportedRefund },
}

/// A transfer, and its refunds, that a notification claims.
#[derive(Debug)]
pub(crate) struct TransferClaim {
    pub(crate) end_to_end_id: String,
    pub(crate) reference: String,
    pub(crate) refunds: Vec<ReportedRefund>,
    /// The reason to park the notification if no charge has this reference, in the provider's terms.
    pub(crate) unknown_reference: &'static str,
}

/// The text, if it has only letters and digits. Other text from outside identifies nothing.
pub(super) fn letters_and_digits(value: &Value, max_length: usize) -> Option<String> {
    let text = value.as_str()?;
    let is_valid =
        (1..=max_length).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_alphanumeric());
    is_valid.then(|| text.to_owned())
}

/// The dedupe key of a notification without an id: the SHA-256 of its body, in hex.
pub(super) fn body_digest(notification: &Notification) -> String {
    let digest = Sha256::digest(notification.body.to_string().as_bytes());
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}
