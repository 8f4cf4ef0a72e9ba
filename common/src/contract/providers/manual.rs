//! Webhook bodies of the operator's own program: one signed notification each.

use serde_json::{Map, Value};

use super::notification::Notification;

/// The signed notification, as it was sent, with its id.
pub(super) fn read(id: Option<String>, body: Map<String, Value>) -> Vec<Notification> {
    vec![Notification { id, body: Value::Object(body) }]
}
