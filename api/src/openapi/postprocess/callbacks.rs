//! The callbacks of a payment.

use serde_json::{Map, Value, json};

use crate::http::route_policy;

/// The operation whose payments cause the callbacks.
const CREATE_PAYMENT: &str = "/payments/instant/qrcode";

/// The parts of an operation that a callback has.
const FIELDS: [&str; 6] = ["tags", "summary", "description", "requestBody", "responses", "security"];

/// Describes the notifications of a provider as callbacks of a new payment. They are the same requests as the
/// operations at their paths.
pub(super) fn add(document: &mut Value) {
    let callbacks = route_policy::callbacks().map(|path| {
        let mut callback = document["paths"][path]["post"].clone();
        if let Some(callback) = callback.as_object_mut() {
            callback.retain(|field, _| FIELDS.contains(&field.as_str()));
        }
        (path.to_owned(), json!({ "post": callback }))
    });
    let callbacks = Map::from_iter(callbacks);
    document["paths"][CREATE_PAYMENT]["post"]["callbacks"] = json!({ "paid": callbacks });
}
