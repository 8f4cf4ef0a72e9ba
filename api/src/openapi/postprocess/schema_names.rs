//! The names of generic schemas.

use serde_json::Value;

use super::walk::{SCHEMAS, for_each_object};

/// Renames generic schemas: `ListPage_Offer` of poem-openapi becomes `OfferList`.
pub(super) fn rename(document: &mut Value) {
    if let Some(schemas) = document["components"]["schemas"].as_object_mut() {
        *schemas =
            std::mem::take(schemas).into_iter().map(|(name, schema)| (renamed(&name), schema)).collect();
        // The title is the old name. Some generators would prefer it.
        schemas.values_mut().filter_map(Value::as_object_mut).for_each(|schema| {
            schema.shift_remove("title");
        });
    }
    for_each_object(document, &mut |object| {
        if let Some(Value::String(reference)) = object.get_mut("$ref") {
            *reference = format!("{SCHEMAS}{}", renamed(reference.trim_start_matches(SCHEMAS)));
        }
    });
}

fn renamed(name: &str) -> String {
    match name.split_once('_') {
        Some(("ListPage", item)) => format!("{item}List"),
        Some((generic, argument)) => format!("{argument}{generic}"),
        None => name.to_owned(),
    }
}
