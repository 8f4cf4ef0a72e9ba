//! Corrections of the OpenAPI document that poem-openapi cannot make. They change its JSON.

mod callbacks;
mod cleanup;
mod parameters;
mod refusals;
mod request_bodies;
mod schema_names;
mod security;
mod tags;
mod walk;

use poem_openapi::registry::MetaApi;
use serde_json::Value;

/// The published document: tags in the order of the endpoints, readable names, closed request bodies, refusals,
/// and callbacks.
pub(super) fn run(document: &str, apis: &[MetaApi]) -> String {
    let mut document: Value = serde_json::from_str(document).unwrap_or_default();
    tags::sort(&mut document, apis);
    schema_names::rename(&mut document);
    request_bodies::close(&mut document);
    cleanup::run(&mut document);
    parameters::describe(&mut document);
    security::mark_public_operations(&mut document);
    refusals::add(&mut document);
    callbacks::add(&mut document);
    serde_json::to_string_pretty(&document).unwrap_or_default()
}
