//! Bodies of categories and offers.

use serde_json::{Value, json};

use crate::support::client::Client;

pub(super) fn category(name: &str, hidden: bool) -> Value {
    json!({ "name": name, "description": "Heals.", "position": 10, "hidden": hidden })
}

pub(super) fn offer(category_id: &Value, name: &str) -> Value {
    json!({
        "category_id": category_id, "name": name, "description": "Red.", "picture": "/pictures/red.png", "price": 25,
        "grants": [{ "kind": "item", "id": "266", "count": 100 }], "position": 5, "hidden": false, "stock": 3, "account_limit": 2,
    })
}

pub(super) fn with_field(mut body: Value, field: &str, value: &Value) -> Value {
    body[field] = value.clone();
    body
}

/// All fields that an update of an offer replaces.
pub(super) fn offer_update(offer_id: &Value, version: i64, category_id: &Value, name: &str) -> Value {
    let mut body = offer(category_id, name);
    body.as_object_mut().unwrap().remove("stock");
    body["offer_id"] = offer_id.clone();
    body["expected_version"] = json!(version);
    body
}

pub(super) fn category_update(category_id: &Value, version: i64, name: &str) -> Value {
    let body = with_field(category(name, false), "category_id", category_id);
    with_field(body, "expected_version", &json!(version))
}

pub(super) async fn create_category(merchant: &Client, name: &str, hidden: bool) -> Value {
    merchant.post("/shop/category/create", category(name, hidden)).await.result()["category_id"].clone()
}

pub(super) async fn create_offer(merchant: &Client, category_id: &Value, name: &str) -> Value {
    merchant.post("/shop/item/create", offer(category_id, name)).await.result()["offer_id"].clone()
}
