//! Webhook bodies of a bank with the API Pix: `{"pix": [{"endToEndId": …, "txid": …, …}]}`. Some banks send one transfer without the
//! list: `{"endToEndId": …, "txid": …, …}`.

use serde_json::{Map, Value};

use super::notification::{Notification, UnreadableNotification};

/// The fields of a transfer that are stored.
const KEPT_FIELDS: [&str; 6] = ["endToEndId", "txid", "chave", "valor", "horario", "devolucoes"];

/// The length of the shortest allowed secret in the address of the webhook.
pub const MIN_WEBHOOK_SECRET: usize = 16;

/// Whether a text can be the secret in the address of the webhook. Letters and digits need no escaping. Banks escape other
/// characters in different ways.
#[must_use]
pub fn is_webhook_secret(secret: &str) -> bool {
    secret.len() >= MIN_WEBHOOK_SECRET && secret.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

/// Reads one notification per transfer. Banks send a body without transfers to test the connection.
pub(super) fn read(mut body: Map<String, Value>) -> Result<Vec<Notification>, UnreadableNotification> {
    match body.remove("pix") {
        None | Some(Value::Null) if body.contains_key("endToEndId") => {
            Ok(vec![transfer_notification(Value::Object(body))])
        }
        None | Some(Value::Null) => Ok(vec![]),
        Some(Value::Array(transfers)) => Ok(transfers.into_iter().map(transfer_notification).collect()),
        Some(_) => Err(UnreadableNotification::NotArray { pointer: "/pix" }),
    }
}

/// The notification of one transfer. Fields about the payer are removed: they are not needed, so they are not stored.
#[must_use]
pub fn transfer_notification(mut transfer: Value) -> Notification {
    if let Some(fields) = transfer.as_object_mut() {
        fields.retain(|name, _| KEPT_FIELDS.contains(&name.as_str()));
    }
    Notification { id: None, body: transfer }
}

#[cfg(test)]
mod tests {
    use super::is_webhook_secret;

    #[test]
    fn secrets_are_long_and_need_no_escaping() {
        assert!(is_webhook_secret("0123456789abcdef"));
        for weak in ["", "0123456789abcde", "0123456789abcde/"] {
            assert!(!is_webhook_secret(weak), "{weak}");
        }
    }
}
