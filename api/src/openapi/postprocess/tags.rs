//! The order of the tags.

use poem_openapi::registry::MetaApi;
use serde_json::Value;

/// Sorts the tags in the order of the endpoints. poem-openapi sorts them by name.
pub(super) fn sort(document: &mut Value, apis: &[MetaApi]) {
    let operations = apis.iter().flat_map(|api| &api.paths).flat_map(|path| &path.operations);
    let order: Vec<&str> = operations.flat_map(|operation| operation.tags.iter().copied()).collect();
    if let Some(tags) = document["tags"].as_array_mut() {
        tags.sort_by_key(|tag| order.iter().position(|name| tag["name"] == *name));
    }
}
