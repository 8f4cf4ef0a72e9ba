//! The types of id fields.

use std::collections::HashMap;

use serde_json::{Value, json};

use super::walk::{SCHEMAS, for_each_object};

/// Gives each integer field an id type by its name: `guild_id` is a `GuildId`.
pub(super) fn name(document: &mut Value) {
    let schemas = document["components"]["schemas"].as_object().into_iter().flatten();
    let ids = schemas.filter(|(name, schema)| name.ends_with("Id") && schema["type"] == "integer");
    let mut ids: HashMap<String, Value> = ids
        .map(|(name, _)| {
            let field = format!("{}_id", name.trim_end_matches("Id").to_lowercase());
            (field, json!({ "$ref": format!("{SCHEMAS}{name}") }))
        })
        .collect();
    for leader in ["leader_id", "former_leader_id"] {
        ids.insert(leader.to_owned(), json!({ "$ref": format!("{SCHEMAS}CharacterId") }));
    }
    for_each_object(document, &mut |object| {
        for (name, field) in object.get_mut("properties").and_then(Value::as_object_mut).into_iter().flatten()
        {
            if field["type"] == "integer"
                && let Some(id) = ids.get(name)
            {
                *field = id.clone();
            }
        }
    });
}
