//! Names of operations, schemas and tags.

use std::collections::BTreeSet;

use super::operations::operations;
use crate::support::service::openapi_document;

/// A generator of clients makes a type of each named schema, and invents a name for every other schema.
#[test]
fn every_schema_has_a_name() {
    let document = openapi_document();
    let schemas = document["components"]["schemas"].as_object().unwrap();
    for name in schemas.keys() {
        assert!(name.chars().all(char::is_alphanumeric) && !name.ends_with(char::is_numeric), "{name}");
    }
    let mut inline =
        schemas.values().flat_map(|schema| schema["properties"].as_object()).flatten().collect::<Vec<_>>();
    let operations = operations(&document);
    for (name, operation) in &operations {
        let parameters = operation["parameters"].as_array().into_iter().flatten();
        inline.extend(parameters.map(|parameter| (name, &parameter["schema"])));
        let contents =
            operation["responses"].as_object().unwrap().values().chain([&operation["requestBody"]]);
        for (kind, content) in contents.filter_map(|content| content["content"].as_object()).flatten() {
            assert!(
                !kind.ends_with("json") || content["schema"].get("$ref").is_some(),
                "{name} has a body without a name"
            );
        }
    }
    for (place, schema) in inline {
        assert!(schema["type"] != "object", "{place} is an object without a name");
        assert!(schema.get("enum").is_none(), "{place} is an enum without a name");
        assert!(schema.get("nullable").is_none(), "{place} can be null");
    }
}

#[test]
fn tags_are_in_reading_order() {
    let document = openapi_document();
    let names: Vec<_> =
        document["tags"].as_array().unwrap().iter().map(|tag| tag["name"].as_str().unwrap()).collect();
    assert_eq!(
        names,
        [
            "Accounts",
            "Characters",
            "Guilds",
            "Shop",
            "News",
            "Payments",
            "Operations",
            "Game",
            "Administration"
        ]
    );
}

#[test]
fn operations_list_their_refusals_with_examples() {
    let document = openapi_document();
    let conflict = &document["paths"]["/guild/create-guild"]["post"]["responses"]["409"];
    let description = conflict["description"].as_str().unwrap();
    assert!(description.contains("`guild_name_taken`"), "{description}");
    let example = &conflict["content"]["application/problem+json"]["examples"]["guild_name_taken"]["value"];
    assert_eq!(example["code"], "guild_name_taken");
    assert_eq!(example["status"], 409);
    assert_eq!(example["detail"], "Another guild has this name.");
}

#[test]
fn operation_ids_are_unique() {
    let document = openapi_document();
    let operations = operations(&document);
    let ids: BTreeSet<_> =
        operations.iter().map(|(_, operation)| operation["operationId"].as_str()).collect();
    assert_eq!(ids.len(), operations.len());
}
