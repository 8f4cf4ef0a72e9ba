//! The fault `loose_json`: responses in forms that banks send although the standard has others.

use poem::Response;
use serde_json::{Number, Value};

/// The lists that a record may leave out, each with a property that its record always has.
const LISTS: [(&str, &str); 2] = [("pix", "calendario"), ("devolucoes", "endToEndId")];

/// The properties with an amount.
const AMOUNTS: [&str; 2] = ["valor", "original"];

/// Returns the response with `null` for lists without entries, and with amounts as numbers.
pub(super) async fn loosen(mut response: Response) -> Response {
    let bytes = response.take_body().into_bytes().await.unwrap_or_default();
    let mut body: Value = serde_json::from_slice(&bytes).unwrap_or_default();
    loosen_value(&mut body);
    response.set_body(body.to_string());
    response
}

fn loosen_value(value: &mut Value) {
    match value {
        Value::Array(entries) => entries.iter_mut().for_each(loosen_value),
        Value::Object(properties) => {
            for (list, owner) in LISTS {
                if properties.contains_key(owner) {
                    properties.entry(list).or_insert(Value::Null);
                }
            }
            for (name, value) in properties {
                match number(value).filter(|_| AMOUNTS.contains(&name.as_str())) {
                    Some(number) => *value = Value::Number(number),
                    None => loosen_value(value),
                }
            }
        }
        _ => {}
    }
}

fn number(value: &Value) -> Option<Number> {
    Number::from_f64(value.as_str()?.parse().ok()?)
}
