//! Walks through the JSON of the document.

use serde_json::{Map, Value};

/// The start of each reference to a schema.
pub(super) const SCHEMAS: &str = "#/components/schemas/";

/// Calls `visit` for each object of the value, an outer one before the inner ones.
pub(super) fn for_each_object(value: &mut Value, visit: &mut impl FnMut(&mut Map<String, Value>)) {
    match value {
        Value::Object(object) => {
            visit(object);
            object.values_mut().for_each(|value| for_each_object(value, visit));
        }
        Value::Array(items) => items.iter_mut().for_each(|value| for_each_object(value, visit)),
        _ => {}
    }
}

/// Calls `visit` for each operation of the document.
pub(super) fn for_each_operation(document: &mut Value, visit: impl FnMut(&mut Value)) {
    let paths = document["paths"].as_object_mut().into_iter().flatten();
    let operations = paths.flat_map(|(_, path)| path.as_object_mut()).flatten();
    operations.map(|(_, operation)| operation).for_each(visit);
}

/// The names of the schemas that the value references.
pub(super) fn references(value: &Value) -> Vec<String> {
    let mut names = Vec::new();
    for_each_object(&mut value.clone(), &mut |object| {
        let name = object.get("$ref").and_then(Value::as_str);
        names.extend(name.map(|name| name.trim_start_matches(SCHEMAS).to_owned()));
    });
    names
}
