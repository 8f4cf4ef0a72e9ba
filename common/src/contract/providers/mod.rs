//! Payment providers and their notifications, from the webhook to the workers.
//!
//! The body of a webhook request has a format of the provider's own. The file of a provider reads it, and this file lists the
//! providers.

mod api_pix;
mod manual;
mod notification;
mod provider;

use serde_json::{Map, Value};

use self::notification::MAX_DEPTH;
pub use self::{
    api_pix::{MIN_WEBHOOK_SECRET, is_webhook_secret, transfer_notification},
    notification::{Notification, UnreadableNotification},
    provider::Provider,
};

/// Reads the body of a webhook request: one notification with the sender's id, or a bank's list of transfers. The list may be
/// empty: banks send an empty one to test the connection.
///
/// # Errors
/// The body is neither empty nor a JSON object, it is nested too deep, or its list is not an array.
pub fn read_webhook_body(
    provider: Provider,
    id: Option<String>,
    body: &[u8],
) -> Result<Vec<Notification>, UnreadableNotification> {
    let body: Map<String, Value> = if body.is_empty() { Map::new() } else { serde_json::from_slice(body)? };
    if 1 + body.values().map(depth).max().unwrap_or(0) > MAX_DEPTH {
        return Err(UnreadableNotification::TooDeep);
    }
    match provider {
        Provider::ApiPix => api_pix::read(body),
        Provider::Manual => Ok(manual::read(id, body)),
    }
}

fn depth(value: &Value) -> usize {
    match value {
        Value::Array(items) => 1 + items.iter().map(depth).max().unwrap_or(0),
        Value::Object(fields) => 1 + fields.values().map(depth).max().unwrap_or(0),
        _ => 0,
    }
}
