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

/// The body of a request of a game server.
pub(super) fn game_body(operation: &str, delivery: &Value) -> Option<Value> {
    Some(match operation {
        "game_upsert_characters" => json!({ "characters": [] }),
        "game_delete_characters" => json!({ "game_character_ids": ["world-1:404"] }),
        "game_use_link_code" => json!({ "code": "K7QF-3MPX" }),
        "game_report_deaths" => json!({ "deaths": [death("Mira Leads")] }),
        "game_acknowledge_deliveries" => json!({ "delivery_ids": [delivery] }),
        "game_refuse_deliveries" => json!({ "deliveries": [{ "delivery_id": delivery, "reason": "No." }] }),
        _ => return None,
    })
}
