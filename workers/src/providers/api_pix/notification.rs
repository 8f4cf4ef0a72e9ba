//! Notifications of the API Pix: one transfer each.

use guildhall_common::contract::providers::Notification;
use serde_json::Value;

use crate::providers::{
    api_pix::responses,
    charge::ReportedRefund,
    notification::{NotificationClaim, NotificationKeys, TransferClaim, body_digest, letters_and_digits},
};

/// The keys of a notification: the transfer's `endToEndId` and the charge's `txid`.
pub(in crate::providers) fn notification_keys(notification: &Notification) -> NotificationKeys {
    let body = &notification.body;
    NotificationKeys {
        dedupe_key: letters_and_digits(&body["endToEndId"], 64).unwrap_or_else(|| body_digest(notification)),
        reference: txid(body),
    }
}

/// The transfer that a notification claims. The bank must confirm it: the site's URL can be registered by other
/// customers of the bank.
pub(super) fn read_notification(our_key: Option<&str>, body: &Value) -> Result<NotificationClaim, String> {
    let end_to_end_id = body["endToEndId"].as_str().ok_or("it names no transfer (endToEndId)")?;
    if body["chave"].as_str().is_some_and(|key| our_key != Some(key)) {
        return Err("it is about another key than ours".to_owned());
    }
    Ok(NotificationClaim::Transfer(TransferClaim {
        end_to_end_id: end_to_end_id.to_owned(),
        reference: txid(body).ok_or("it names no charge (txid)")?,
        refunds: reported_refunds(body),
        unknown_reference: "there is no charge of this txid",
    }))
}

/// The refunds (`devolucoes`) of a transfer.
pub(super) fn reported_refunds(transfer: &Value) -> Vec<ReportedRefund> {
    let devolucoes = transfer["devolucoes"].as_array();
    devolucoes.map(|list| responses::reported_refunds(list)).unwrap_or_default()
}

fn txid(body: &Value) -> Option<String> {
    letters_and_digits(&body["txid"], 35)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn reason(body: &Value) -> String {
        read_notification(Some("our-key"), body).unwrap_err()
    }

    #[test]
    fn a_notification_without_transfer_charge_or_our_key_is_not_processed() {
        assert_eq!(reason(&json!({})), "it names no transfer (endToEndId)");
        assert_eq!(
            reason(&json!({ "endToEndId": "E1", "chave": "another", "txid": "t1" })),
            "it is about another key than ours"
        );
        assert_eq!(reason(&json!({ "endToEndId": "E1" })), "it names no charge (txid)");
        assert_eq!(reason(&json!({ "endToEndId": "E1", "txid": "***" })), "it names no charge (txid)");
    }

    #[test]
    fn notifications_about_one_transfer_have_one_key() {
        let keys = |body: Value| {
            notification_keys(&Notification { id: Some("ignored".to_owned()), body }).dedupe_key
        };
        assert_eq!(keys(json!({ "endToEndId": "E1", "valor": "1.00" })), "E1");
        assert_eq!(keys(json!({ "endToEndId": "E1", "devolucoes": [] })), "E1");
        assert_eq!(keys(json!({ "endToEndId": "../E1" })).len(), 64);
    }
}
