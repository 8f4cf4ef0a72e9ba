//! Every operation is documented completely.

use std::collections::BTreeSet;

use super::operations::operations;
use crate::support::service::openapi_document;

/// The operations that clients rely on.
const CONTRACT: [&str; 56] = [
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
];

#[test]
fn the_document_has_every_operation_of_the_contract() {
    let document = openapi_document();
    let documented: BTreeSet<String> = operations(&document).into_iter().map(|(name, _)| name).collect();
    for expected in CONTRACT {
        assert!(documented.contains(expected), "{expected} is missing");
    }
}

#[test]
fn every_operation_documents_its_summary_tag_and_errors() {
    let document = openapi_document();
    for (name, operation) in operations(&document) {
        let text = |field: &str| operation[field].as_str().unwrap_or_default();
        assert!(!text("operationId").is_empty(), "{name} has no operationId");
        assert!(!text("summary").is_empty(), "{name} has no summary");
        assert_eq!(operation["tags"].as_array().map(Vec::len), Some(1), "{name} has no tag");
        let responses = operation["responses"].as_object().unwrap();
        let mut errors = vec!["400", "429", "500", "503"];
        if operation.get("requestBody").is_some() {
            errors.extend(["408", "413", "415"]);
        }
        if operation["security"].as_array().is_some_and(|schemes| !schemes.is_empty()) {
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
    let document = openapi_document();
    for (name, operation) in operations(&document) {
        for parameter in operation["parameters"].as_array().into_iter().flatten() {
            let schema = &parameter["schema"];
            // The values of an enum are documented at its schema.
            let is_clear = schema["format"] == "uuid" || schema["type"] == "boolean";
            let exempt = is_clear || schema.get("$ref").is_some();
            assert!(exempt || schema.get("example").is_some(), "{name}: {}", parameter["name"]);
        }
        let body = &operation["requestBody"]["content"]["application/json"]["schema"]["$ref"];
        if let Some(schema) = body.as_str() {
            let schema = &document["components"]["schemas"][schema.rsplit('/').next().unwrap()];
            assert!(schema.get("example").is_some(), "{name}: the body has no example");
        }
    }
}
