//! Signed notifications of the operator's own program.

use chrono::{DateTime, Utc};
use guildhall_common::{contract::providers::Notification, money::Money, platform::db};
use serde::{Deserialize, Deserializer, de::Error};
use serde_json::Value;

use crate::providers::{
    charge::{RefundState, ReportedReceipt, ReportedRefund, stored_time},
    notification::{NotificationClaim, NotificationKeys, body_digest, letters_and_digits},
};

/// The data of `payment.received`.
#[derive(Debug, Deserialize)]
struct SignedReceipt {
    #[serde(deserialize_with = "identifier")]
    end_to_end_id: String,
    #[serde(flatten)]
    amount: Money,
    #[serde(deserialize_with = "stored_time")]
    received_at: DateTime<Utc>,
}

/// The data of `payment.returned`: the operator sent money back at the bank, or the scheme took it back.
#[derive(Debug, Deserialize)]
struct SignedRefund {
    #[serde(deserialize_with = "identifier")]
    end_to_end_id: String,
    #[serde(deserialize_with = "identifier")]
    refund_id: String,
    #[serde(flatten)]
    amount: Money,
    #[serde(deserialize_with = "stored_time")]
    returned_at: DateTime<Utc>,
    #[serde(default)]
    reversal: bool,
    #[serde(default)]
    reason: String,
}

/// Values that bank statements have in place of a missing id, without signs and in capital letters: SEPA's `NOTPROVIDED`, `NONREF` of
/// SWIFT, and what programs write.
const PLACEHOLDERS: [&str; 9] =
    ["", "NOTPROVIDED", "NOTAVAILABLE", "NONREF", "NOREF", "NONE", "NULL", "NA", "UNKNOWN"];

/// 1 to 64 visible ASCII characters that identify one transfer.
fn identifier<'de, D: Deserializer<'de>>(from: D) -> Result<String, D::Error> {
    let text = String::deserialize(from)?;
    let is_valid = (1..=64).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_graphic());
    if !is_valid {
        return Err(D::Error::custom("a name must have 1 to 64 letters, digits and signs"));
    }
    if is_placeholder(&text) {
        return Err(D::Error::custom(format!(
            "{text} does not identify a transfer: send the bank's unique booking reference"
        )));
    }
    Ok(text)
}

fn is_placeholder(id: &str) -> bool {
    let id: String = id.chars().filter(char::is_ascii_alphanumeric).collect();
    PLACEHOLDERS.contains(&&*id.to_ascii_uppercase()) || id.bytes().all(|byte| byte == b'0')
}

/// The keys of a notification: its `webhook-id`, and the reference that it names.
pub(in crate::providers) fn notification_keys(notification: &Notification) -> NotificationKeys {
    NotificationKeys {
        dedupe_key: notification.id.clone().unwrap_or_else(|| body_digest(notification)),
        reference: reference(&notification.body),
    }
}

/// The claim of a signed notification.
///
/// # Errors
/// The reason why the notification cannot be processed.
pub(in crate::providers) fn read_notification(body: &Value) -> Result<NotificationClaim, String> {
    match body["type"].as_str() {
        Some("payment.received") => read_receipt(body),
        Some("payment.returned") => read_refund(body),
        _ => Err("its type is neither payment.received nor payment.returned".to_owned()),
    }
}

fn read_receipt(body: &Value) -> Result<NotificationClaim, String> {
    let SignedReceipt { end_to_end_id, amount, received_at } = read_data(body)?;
    if amount.minor() <= 0 {
        return Err("its amount is not more than zero".to_owned());
    }
    let reference = reference(body).ok_or("it names no payment (reference)")?;
    let receipt = ReportedReceipt { end_to_end_id, amount, received_at, held_because: None, refunds: vec![] };
    Ok(NotificationClaim::SignedReceipt { reference, receipt })
}

/// The refund is recorded for the payment of the receipt, whatever reference the notification names.
fn read_refund(body: &Value) -> Result<NotificationClaim, String> {
    let signed: SignedRefund = read_data(body)?;
    let refund = ReportedRefund {
        refund_id: signed.refund_id,
        amount: signed.amount,
        state: RefundState::Done,
        is_reversal: signed.reversal,
        reason: db::without_nul(&signed.reason),
        requested_at: Some(signed.returned_at),
    };
    Ok(NotificationClaim::SignedRefund { end_to_end_id: signed.end_to_end_id, refund })
}

fn read_data<T: for<'de> Deserialize<'de>>(body: &Value) -> Result<T, String> {
    serde_json::from_value(body["data"].clone()).map_err(|error| format!("its data cannot be read: {error}"))
}

fn reference(body: &Value) -> Option<String> {
    letters_and_digits(&body["data"]["reference"], 35)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_placeholder_is_no_id_of_a_transfer() {
        let read = |id: &str| {
            let data = json!({ "reference": "R1", "end_to_end_id": id, "amount": "1.00", "currency": "EUR",
                               "received_at": "2030-01-01T00:00:00Z" });
            read_notification(&json!({ "type": "payment.received", "data": data }))
        };
        for id in ["NOTPROVIDED", "not-provided", "NonRef", "N/A", "-", "0000"] {
            let reason = read(id).unwrap_err();
            assert!(reason.contains("booking reference"), "{id}: {reason}");
        }
        assert!(read("2026112700NOTPROVIDED").is_ok());
        assert!(read("T1").is_ok());
    }
}
