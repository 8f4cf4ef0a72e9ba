//! The reader of webhook bodies.

use serde_json::{Map, Value};

use super::{
    api_pix, manual,
    message::Notification,
    provider::Provider,
    unreadable::{MAX_DEPTH, UnreadableNotification},
};

/// Reads the body of a webhook request: one notification with the sender's id, or a bank's list of transfers. The list may be
/// empty: banks send an empty one to test the connection.
///
/// # Errors
/// The body is neither empty nor a JSON object, it is nested too deep, or its list is not an array.
pub fn read(
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
