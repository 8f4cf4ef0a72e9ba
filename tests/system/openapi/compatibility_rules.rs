//! The comparison reports changes that break clients, and no others.

use serde_json::{Value, json};

use super::compatibility::incompatibilities;
use crate::support::service::openapi_document;

const INVITE: &str = "/paths/~1guild~1invite/post";
const SEARCH: &str = "/paths/~1guild~1players-without-guild/get/parameters";

struct ComparedDocument(Value);

impl ComparedDocument {
    /// The incompatibilities after a change at this place.
    fn with_change(&self, pointer: &str, change: &dyn Fn(&mut Value)) -> Vec<String> {
        let mut new = self.0.clone();
        change(new.pointer_mut(pointer).unwrap_or_else(|| panic!("the document has no {pointer}")));
        incompatibilities(&self.0, &new)
    }

    /// The incompatibilities after a change of a named schema.
    fn with_schema_change(&self, pointer: &str, change: &dyn Fn(&mut Value)) -> Vec<String> {
        self.with_change(&format!("/components/schemas/{pointer}"), change)
    }
}

fn remove(name: &'static str) -> impl Fn(&mut Value) {
    move |object| drop(object.as_object_mut().unwrap().remove(name))
}

fn insert(name: &'static str, value: Value) -> impl Fn(&mut Value) {
    move |object| object[name] = value.clone()
}

fn append(value: Value) -> impl Fn(&mut Value) {
    move |list| list.as_array_mut().unwrap().push(value.clone())
}

fn remove_last(list: &mut Value) {
    list.as_array_mut().unwrap().pop();
}

fn replace_with(value: Value) -> impl Fn(&mut Value) {
    move |old| *old = value.clone()
}

type Changes = Vec<(&'static str, Vec<String>)>;

/// Incompatible changes of operations and parameters.
fn operation_changes(document: &ComparedDocument) -> Changes {
    vec![
        ("an operation is removed", document.with_change("/paths", &remove("/guild/invite"))),
        (
            "an operation has another id",
            document.with_change(INVITE, &insert("operationId", json!("guild_request"))),
        ),
        ("a success status is removed", document.with_change(&format!("{INVITE}/responses"), &remove("202"))),
        (
            "a success status is added",
            document.with_change(&format!("{INVITE}/responses"), &insert("200", json!({}))),
        ),
        (
            "a token is required",
            document.with_change(
                "/paths/~1guilds~1{page}~1{limit}/get/security",
                &append(json!({ "bearerAuth": [] })),
            ),
        ),
        ("a parameter is removed", document.with_change(SEARCH, &remove_last)),
        (
            "a parameter is required",
            document.with_change(&format!("{SEARCH}/2"), &insert("required", json!(true))),
        ),
        (
            "a parameter accepts less",
            document.with_change(&format!("{SEARCH}/1/schema"), &insert("maximum", json!(50))),
        ),
    ]
}

/// Incompatible changes of responses.
fn response_changes(document: &ComparedDocument) -> Changes {
    vec![
        (
            "a type has another name",
            document.with_schema_change(
                "GuildMember/properties/rank",
                &replace_with(json!({ "$ref": "#/components/schemas/Role" })),
            ),
        ),
        (
            "a type loses its name",
            document.with_schema_change(
                "GuildCreated/properties/guild_id",
                &replace_with(json!({ "type": "integer", "format": "int64", "minimum": 1 })),
            ),
        ),
        (
            "a type gets a name and another form",
            document.with_schema_change(
                "GuildCreated/properties/name",
                &replace_with(json!({ "$ref": "#/components/schemas/OfferId" })),
            ),
        ),
        (
            "a field of a response is removed",
            document.with_schema_change("GuildCreated/properties", &remove("name")),
        ),
        (
            "a field of a response may be missing",
            document.with_schema_change("GuildCreated/required", &remove_last),
        ),
        (
            "a field of a response may be null",
            document.with_schema_change("GuildCreated/properties/name", &insert("nullable", json!(true))),
        ),
        (
            "a field of a response changes its type",
            document.with_schema_change("GuildCreated/properties/name/type", &replace_with(json!("integer"))),
        ),
        (
            "a response has a new value",
            document.with_schema_change("PaymentStatus/enum", &append(json!("lost"))),
        ),
        ("a response loses a bound", document.with_schema_change("GuildId", &remove("minimum"))),
        (
            "a field is added to a schema that excludes new fields",
            document.with_schema_change("Money/properties", &insert("new", json!({ "type": "string" }))),
        ),
    ]
}

/// Incompatible changes of requests.
fn request_changes(document: &ComparedDocument) -> Changes {
    vec![
        (
            "a field of a request is removed",
            document.with_schema_change("NewGuild/properties", &remove("character_id")),
        ),
        (
            "a field of a request is required",
            document.with_schema_change("NewGuild/required", &append(json!("character_id"))),
        ),
        ("a request loses a value", document.with_schema_change("AssignableRank/enum", &remove_last)),
        (
            "a request accepts less",
            document.with_schema_change("GuildName/maxLength", &replace_with(json!(20))),
        ),
        ("a request has a new bound", document.with_schema_change("Motd", &insert("minLength", json!(1)))),
        (
            "a request has another pattern",
            document.with_schema_change("GuildName/pattern", &replace_with(json!("^[a-z]+$"))),
        ),
        (
            "a request accepts fewer items",
            document.with_schema_change(
                "DeliveriesToAcknowledge/properties/delivery_ids/maxItems",
                &replace_with(json!(10)),
            ),
        ),
    ]
}

#[test]
fn incompatible_changes_are_reported() {
    let document = ComparedDocument(openapi_document());
    for changes in [operation_changes(&document), response_changes(&document), request_changes(&document)] {
        for (change, incompatibilities) in changes {
            assert!(!incompatibilities.is_empty(), "{change}, and it is not reported");
        }
    }
}

#[test]
fn compatible_changes_are_not_reported() {
    let document = ComparedDocument(openapi_document());
    for (change, incompatibilities) in [
        ("nothing changes", document.with_change("", &|_| {})),
        (
            "an operation is added",
            document.with_change("/paths", &insert("/new", json!({ "get": { "operationId": "new" } }))),
        ),
        (
            "an error is added",
            document.with_change(&format!("{INVITE}/responses"), &insert("418", json!({}))),
        ),
        ("an error is removed", document.with_change(&format!("{INVITE}/responses"), &remove("413"))),
        (
            "an optional parameter is added",
            document.with_change(SEARCH, &append(json!({ "name": "new", "in": "query" }))),
        ),
        (
            "another token is accepted too",
            document.with_change(&format!("{INVITE}/security"), &append(json!({ "serviceToken": [] }))),
        ),
        (
            "a response has a new field",
            document
                .with_schema_change("GuildCreated/properties", &insert("new", json!({ "type": "string" }))),
        ),
        (
            "a response always has a field",
            document.with_schema_change("PaymentState/required", &append(json!("payload"))),
        ),
        (
            "a type gets a name",
            document.with_schema_change(
                "CoinsAdjusted/properties/balance",
                &replace_with(json!({ "$ref": "#/components/schemas/OfferId" })),
            ),
        ),
        (
            "a request has a new optional field",
            document.with_schema_change("NewGuild/properties", &insert("new", json!({ "type": "string" }))),
        ),
        (
            "a request accepts a new value",
            document.with_schema_change("AssignableRank/enum", &append(json!("recruit"))),
        ),
        (
            "a request accepts more",
            document.with_schema_change("GuildName/maxLength", &replace_with(json!(40))),
        ),
        ("a request loses its pattern", document.with_schema_change("GuildName", &remove("pattern"))),
        (
            "an operation has another description",
            document.with_change(INVITE, &insert("description", json!("Another text."))),
        ),
    ] {
        assert_eq!(incompatibilities, Vec::<String>::new(), "{change}");
    }
}
