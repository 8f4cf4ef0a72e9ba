//! The security of public operations.

use serde_json::{Value, json};

use super::walk::for_each_operation;

/// Marks each operation that needs no token with an empty list, so that the list is never missing.
pub(super) fn mark_public_operations(document: &mut Value) {
    for_each_operation(document, |operation| {
        if operation.get("security").is_none() {
            operation["security"] = json!([]);
        }
    });
}
