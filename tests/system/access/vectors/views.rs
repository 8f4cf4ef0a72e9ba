//! The views of the site, in which a text is looked for.

use std::collections::BTreeMap;

use guildhall_common::contract::values::Timestamp;
use serde_json::Value;

use crate::{
    access::{expectation::admitted, fixtures::Fixtures, matrix::operations, policy::Row},
    support::client::send,
};

/// A read of the site that may show a text.
#[derive(Clone, Copy)]
pub(super) struct View<'a> {
    row: &'a Row,
    path: &'a str,
    /// Whether its parameters in the query are those of a list.
    is_list: bool,
}

/// The views of the site, by their operations.
pub(super) fn views<'a>(policy: &'a [Row], document: &'a Value) -> BTreeMap<&'a str, View<'a>> {
    let operations = operations(document);
    let reads = policy.iter().filter_map(|row| {
        let (method, path, operation) = operations[row.0.as_str()];
        let is_json = operation["responses"]["200"]["content"].get("application/json").is_some();
        let parameters = operation["parameters"].as_array();
        let is_limit = |parameter: &Value| parameter["name"] == "limit" && parameter["in"] == "query";
        let is_list = parameters.is_some_and(|parameters| parameters.iter().any(is_limit));
        // The snapshot for games has nearly all texts. Each is looked for where people read it.
        (method == "get" && is_json && row.0 != "game_snapshot")
            .then_some((row.0.as_str(), View { row, path, is_list }))
    });
    reads.collect()
}

impl View<'_> {
    async fn read(self, fixtures: &Fixtures, page: u64) -> Value {
        let principal = admitted(self.row);
        let mut request = fixtures.request(&self.row.0, ("get", self.path), None, principal).await;
        request.path = request.path.replace("/1/10", &format!("/{page}/100"));
        if self.is_list {
            request.path += &format!("?page={page}&limit=100");
        }
        send(fixtures.build(request, principal)).await.body
    }

    /// Whether it shows a text that was just sent: then a list has it on its first or on its last page.
    pub(super) async fn shows(self, fixtures: &Fixtures, text: &str) -> bool {
        let first = self.read(fixtures, 1).await;
        if contains(&first, text) {
            return true;
        }
        match first["pages"].as_u64() {
            Some(pages) if pages > 1 => contains(&self.read(fixtures, pages).await, text),
            _ => false,
        }
    }
}

/// Whether a text is anywhere in the JSON. Some fields have their spaces removed at both ends, and times have a form of their own.
fn contains(value: &Value, text: &str) -> bool {
    let is_same_time = |found: &str| matches!((time(found), time(text)), (Some(a), Some(b)) if a == b);
    match value {
        Value::String(found) => found == text || found == text.trim() || is_same_time(found),
        Value::Array(items) => items.iter().any(|item| contains(item, text)),
        Value::Object(fields) => fields.values().any(|field| contains(field, text)),
        _ => false,
    }
}

pub(super) fn time(text: &str) -> Option<Timestamp> {
    text.parse().ok()
}
