//! The descriptions of parameters.

use serde_json::Value;

use super::walk::{SCHEMAS, for_each_object};

/// Gives a parameter without a description the description of its type.
pub(super) fn describe(document: &mut Value) {
    let schemas = document["components"]["schemas"].clone();
    for_each_object(document, &mut |object| {
        for parameter in object.get_mut("parameters").and_then(Value::as_array_mut).into_iter().flatten() {
            let schema = &parameter["schema"];
            let named = schema["$ref"].as_str().map(|name| &schemas[name.trim_start_matches(SCHEMAS)]);
            let description = named.unwrap_or(schema)["description"].clone();
            if parameter.get("description").is_none() && !description.is_null() {
                parameter["description"] = description;
            }
        }
    });
}
