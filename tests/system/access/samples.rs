//! Bodies of valid requests.

use serde_json::{Value, json};

use crate::support::client::Client;

pub(super) fn category(name: &str, hidden: bool) -> Value {
    json!({ "name": name, "description": "", "position": 1, "hidden": hidden })
}

pub(super) fn offer(category_id: &Value, name: &str, hidden: bool) -> Value {
    json!({
        "category_id": category_id, "name": name, "description": "", "picture": "", "price": 1, "position": 1,
        "hidden": hidden, "stock": 100, "grants": [{ "kind": "mount", "id": "22", "count": 1 }]
    })
}

pub(super) fn post(title: &str) -> Value {
    json!({ "title": title, "summary": "", "body": "Yes.", "hidden": true })
}

/// Sends a command; returns this field of the result.
pub(super) async fn create(client: &Client, path: &str, body: Value, field: &str) -> Value {
    client.post(path, body).await.result()[field].clone()
}
