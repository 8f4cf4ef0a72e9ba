//! The OpenAPI document: valid, complete, and the one that is committed.

use std::{collections::BTreeSet, fs, path::Path};

use serde_json::Value;

fn document() -> Value {
    serde_json::from_str(&guildhall_api::document()).unwrap()
}

/// Every operation with its method and path.
fn operations(document: &Value) -> Vec<(String, &Value)> {
    let paths = document["paths"].as_object().unwrap();
    paths
        .iter()
        .flat_map(|(path, item)| {
            item.as_object()
                .unwrap()
                .iter()
                .map(move |(method, operation)| (format!("{method} {path}"), operation))
        })
        .collect()
}

#[test]
fn it_is_the_one_that_is_committed() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/openapi.json");
    let committed = fs::read_to_string(path).unwrap_or_default();
    assert!(
        committed.trim() == guildhall_api::document().trim(),
        "the document has changed; if that is meant: cargo run -p guildhall-api -- openapi > docs/openapi.json"
    );
}

#[test]
fn it_is_valid_openapi() {
    let parsed: openapiv3::OpenAPI = serde_json::from_value(document()).unwrap();
    assert!(parsed.openapi.starts_with("3.0"));
    assert_eq!(parsed.info.version, env!("CARGO_PKG_VERSION"));
}

#[test]
fn it_has_the_whole_contract() {
    let document = document();
    let there: BTreeSet<String> = operations(&document).into_iter().map(|(name, _)| name).collect();
    for expected in [
        "get /guilds/{page}/{limit}",
        "get /guild/view/{name}",
        "get /guild/players-without-guild",
        "post /guild/create-guild",
        "post /guild/invite",
        "post /guild/invites",
        "post /guild/accept-invite",
        "post /guild/cancel-invite",
        "post /guild/leave",
        "post /guild/pass-leadership",
        "post /guild/change-motd",
        "post /guild/change-rank",
        "post /guild/change-description",
        "post /guild/delete",
        "get /shop/category/list",
        "post /shop/category/create",
        "get /shop/category/find{id}",
        "put /shop/category/update",
        "delete /shop/category/destroy/{id}",
        "get /shop/item/list",
        "post /shop/item/create",
        "get /shop/item/find{id}",
        "put /shop/item/update",
        "delete /shop/item/destroy/{id}",
        "get /news/listDashboard/{page}/{limit}",
        "post /news/create",
        "get /news/find/{id}",
        "patch /news/edit",
        "post /accounts/register",
        "post /auth",
        "post /auth/refresh",
        "delete /auth",
        "get /accounts/me",
        "get /accounts/characters",
        "post /accounts/create-character",
        "post /guild/kick",
        "post /guild/decline-invite",
        "get /shop/offers",
        "get /news/list/{page}/{limit}",
        "delete /news/destroy/{id}",
        "get /operations/{id}",
        "put /game/characters",
        "get /game/deliveries",
        "post /game/deliveries/ack",
        "post /game/deliveries/nack",
        "post /shop/purchase",
        "get /shop/purchases/{page}/{limit}",
        "get /payments/packages",
        "post /payments/instant/qrcode",
        "post /payments/instant/webhook",
        "post /payments/instant/webhook/pix",
        "get /payments/{id}",
        "get /payments/{id}/qrcode.png",
        "get /payments/{id}/qrcode.svg",
        "get /payments/{id}/events",
        "post /payments/{id}/refund",
    ] {
        assert!(there.contains(expected), "{expected} is missing");
    }
}

#[test]
fn every_operation_says_it_all() {
    let document = document();
    for (name, operation) in operations(&document) {
        let text = |field: &str| operation[field].as_str().unwrap_or_default();
        assert!(!text("operationId").is_empty(), "{name} has no operationId");
        assert!(!text("summary").is_empty(), "{name} has no summary");
        assert_eq!(operation["tags"].as_array().map(Vec::len), Some(1), "{name} has no tag");
        let responses = operation["responses"].as_object().unwrap();
        let mut errors = vec!["400", "429", "503"];
        if operation.get("requestBody").is_some() {
            errors.extend(["408", "413", "415"]);
        }
        if operation.get("security").is_some() {
            errors.push("401");
        }
        if responses.contains_key("202") {
            errors.extend(["403", "404", "409", "422"]);
        }
        for status in errors {
            let schema = &responses[status]["content"]["application/problem+json"]["schema"]["$ref"];
            assert_eq!(schema, "#/components/schemas/Problem", "{name} {status}");
        }
        let successes: Vec<_> = responses.iter().filter(|(status, _)| status.starts_with('2')).collect();
        let schemas: BTreeSet<String> =
            successes.iter().map(|(_, response)| response["content"].to_string()).collect();
        assert_eq!(schemas.len(), 1, "{name} has more than one success schema");
        for (_, response) in responses {
            assert!(!response["description"].as_str().unwrap_or_default().is_empty(), "{name}");
            assert!(response["content"].as_object().is_none_or(|content| content.len() == 1), "{name}");
        }
    }
}

#[test]
fn every_body_and_parameter_has_an_example() {
    let document = document();
    for (name, operation) in operations(&document) {
        for parameter in operation["parameters"].as_array().into_iter().flatten() {
            let schema = &parameter["schema"];
            // What an enum may be stands beside it.
            let exempt = schema["format"] == "uuid" || schema.get("$ref").is_some();
            assert!(exempt || schema.get("example").is_some(), "{name}: {}", parameter["name"]);
        }
        let body = &operation["requestBody"]["content"]["application/json"]["schema"]["$ref"];
        if let Some(schema) = body.as_str() {
            let schema = &document["components"]["schemas"][schema.rsplit('/').next().unwrap()];
            assert!(schema.get("example").is_some(), "{name}: the body has no example");
        }
    }
}

#[test]
fn operation_ids_are_unique() {
    let document = document();
    let operations = operations(&document);
    let ids: BTreeSet<_> =
        operations.iter().map(|(_, operation)| operation["operationId"].as_str()).collect();
    assert_eq!(ids.len(), operations.len());
}
