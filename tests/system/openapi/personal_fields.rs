//! The erasure of an account finds names and addresses in stored outcomes by the names of their fields.

use std::collections::BTreeSet;

use guildhall_common::contract::account::PERSONAL_FIELDS;
use serde_json::Value;

use crate::support::service::openapi_document;

/// The fields of outputs with texts that are no names or addresses of people.
const IMPERSONAL_FIELDS: [&str; 16] = [
    "amount",
    "death_id",
    "deleted",
    "description",
    "game_account_id",
    "game_character_id",
    "game_guild_id",
    "id",
    "image",
    "logo",
    "motd",
    "nick",
    "payload",
    "slug",
    "unknown",
    "vocation",
];

#[test]
fn the_erasure_finds_each_text_of_an_output_that_may_name_a_person() {
    let document = openapi_document();
    let schemas = document["components"]["schemas"].as_object().unwrap();
    let operations = schemas.iter().filter(|(name, _)| name.ends_with("Operation"));
    let mut fields = BTreeSet::new();
    for (_, operation) in operations {
        collect_texts(&document, "result", &operation["properties"]["result"], &mut fields);
    }
    // Its response is the output without an operation.
    collect_texts(&document, "leased", &schemas["DeliveriesLeased"], &mut fields);
    let (personal, others): (BTreeSet<&str>, BTreeSet<&str>) =
        fields.into_iter().partition(|field| PERSONAL_FIELDS.iter().any(|end| field.ends_with(end)));
    assert!(personal.contains("character_name") && personal.contains("new_email"), "{personal:?}");
    let known = BTreeSet::from(IMPERSONAL_FIELDS);
    assert_eq!(
        others, known,
        "is a new field a name or an address? Then its name must end as PERSONAL_FIELDS"
    );
}

/// Collects the names of fields with free texts: those without a format and without a list of values.
fn collect_texts<'a>(document: &'a Value, field: &'a str, schema: &'a Value, fields: &mut BTreeSet<&'a str>) {
    if let Some(reference) = schema["$ref"].as_str() {
        let target = document.pointer(reference.trim_start_matches('#')).unwrap();
        return collect_texts(document, field, target, fields);
    }
    for part in ["allOf", "anyOf", "oneOf"].into_iter().filter_map(|key| schema[key].as_array()).flatten() {
        collect_texts(document, field, part, fields);
    }
    if schema["type"] == "array" {
        collect_texts(document, field, &schema["items"], fields);
    }
    for (name, property) in schema["properties"].as_object().into_iter().flatten() {
        collect_texts(document, name, property, fields);
    }
    if schema["type"] == "string" && schema["format"].is_null() && schema["enum"].is_null() {
        fields.insert(field);
    }
}
