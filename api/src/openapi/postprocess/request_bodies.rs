//! The schemas of request bodies.

use std::collections::BTreeSet;

use serde_json::Value;

use super::walk::references;
use crate::http::route_policy::{self, Documentation};

/// Forbids unknown fields in request bodies, as `deny_unknown_fields` does. Providers may add fields to their
/// notifications.
pub(super) fn close(document: &mut Value) {
    let mut open: Vec<String> = Vec::new();
    let paths = document["paths"].as_object().into_iter().flatten();
    let closed_paths =
        paths.filter(|(path, _)| route_policy::of(path).documentation == Documentation::Operations);
    for (_, operation) in closed_paths.flat_map(|(_, path)| path.as_object()).flatten() {
        open.extend(references(&operation["requestBody"]));
    }
    let mut closed = BTreeSet::new();
    while let Some(name) = open.pop() {
        let schema = &mut document["components"]["schemas"][&name];
        if closed.insert(name) {
            open.extend(references(schema));
            if schema["type"] == "object" {
                schema["additionalProperties"] = false.into();
            }
        }
    }
}
