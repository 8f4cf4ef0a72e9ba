//! Bodies of valid requests.

use serde_json::{Value, json};

use crate::support::client::Client;

pub(super) fn category(name: &str, hidden: bool) -> Value {
    json!({ "name": name, "description": "", "position": 1, "hidden": hidden })
}

pub(super) fn offer(category_id: &Value, name: &str, hidden: bool) -> Value {
    json!({
        "category_id": category_id, "name": name, "description": "", "price": 1, "position": 1,
        "hidden": hidden, "stock": 100, "grants": [{ "kind": "mount", "id": "22", "count": 1 }]
    })
}

pub(super) fn post(title: &str) -> Value {
    json!({ "title": title, "summary": "", "body": "Yes.", "hidden": true })
}

pub(super) fn with_field(mut body: Value, field: &str, value: &Value) -> Value {
    body[field] = value.clone();
    body
}

/// Sends a command; returns this field of the result.
pub(super) async fn create(client: &Client, path: &str, body: Value, field: &str) -> Value {
    client.post(path, body).await.result()[field].clone()
}

pub(super) fn death(character: &str) -> Value {
    json!({
        "death_id": "1", "character_name": character, "died_at": "2026-01-01T00:00:00Z", "level": 8, "killed_by": "a rat",
        "killer_is_player": false
    })
}
