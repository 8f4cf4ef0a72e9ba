//! The OpenAPI document, as the tests of other domains use it.

use std::sync::LazyLock;

use http::Method;
use serde_json::Value;

use super::service::openapi_document;

/// Whether a path such as `/guilds/1/10` or `/operations/{id}` is one of this template.
pub(crate) fn is_instance(path: &str, template: &str) -> bool {
    let (found, expected): (Vec<&str>, Vec<&str>) =
        (path.split('/').collect(), template.split('/').collect());
    found.len() == expected.len()
        && found.iter().zip(expected).all(|(found, expected)| match expected.split_once('{') {
            Some((prefix, _)) => found.strip_prefix(prefix).is_some_and(|rest| !rest.is_empty()),
            None => *found == expected,
        })
}

/// Asserts that the document has an example of this refusal at the requested operation, if there is such an operation.
pub(super) fn assert_documented(method: &Method, path: &str, status: u16, code: &str) {
    static DOCUMENT: LazyLock<Value> = LazyLock::new(openapi_document);
    let paths = DOCUMENT["paths"].as_object().unwrap();
    let template = || paths.iter().find(|(template, _)| is_instance(path, template)).map(|(_, item)| item);
    let Some(item) = paths.get(path).or_else(template) else { return };
    let Some(operation) = item.get(method.as_str().to_lowercase()) else { return };
    let response = &operation["responses"][status.to_string()]["content"]["application/problem+json"];
    assert!(
        response["examples"].get(code).is_some(),
        "the document has no example of {status} {code} at {method} {path}"
    );
}
