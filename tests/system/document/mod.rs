//! The OpenAPI document: valid, complete, and the one that is committed.

mod compatible;

use std::{collections::BTreeSet, env, fs, path::Path};

use serde_json::{Value, json};

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

/// With `GUILDHALL_RENEW_DOCUMENT` set it becomes the committed one, unless clients would break unannounced.
#[test]
fn it_is_the_one_that_is_committed() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/openapi.json");
    let text = guildhall_api::document();
    let committed = fs::read_to_string(&path).unwrap_or_default();
    if committed.trim() == text.trim() {
        return;
    }
    let (old, new) = (serde_json::from_str(&committed).unwrap_or_default(), document());
    let breaks = compatible::breaks(&old, &new);
    let refused = !breaks.is_empty() && !compatible::moves(&old, &new);
    if !refused && env::var_os("GUILDHALL_RENEW_DOCUMENT").is_some() {
        fs::write(path, text + "\n").unwrap();
        return;
    }
    let verdict = match (breaks.is_empty(), refused) {
        (true, _) => "Clients can go on with it. If it is meant: ./dev document",
        (_, false) => "It breaks clients, and the version says so. If it is meant: ./dev document",
        (_, true) => {
            "It breaks clients, and the version does not say so: refused. Keep what they use, or move the version."
        }
    };
    panic!("the document is not the committed docs/openapi.json\n  {}\n{verdict}", breaks.join("\n  "));
}

#[test]
fn a_change_that_breaks_clients_is_told_from_one_that_does_not() {
    const SCHEMAS: &str = "/components/schemas";
    let old = document();
    let changed = |at: &str, change: &dyn Fn(&mut Value)| {
        let mut new = old.clone();
        change(new.pointer_mut(at).unwrap_or_else(|| panic!("there is no {at}")));
        compatible::breaks(&old, &new)
    };
    let schema = |at: &str, change: &dyn Fn(&mut Value)| changed(&format!("{SCHEMAS}/{at}"), change);
    let remove =
        |name: &'static str| move |object: &mut Value| drop(object.as_object_mut().unwrap().remove(name));
    let insert = |name: &'static str, value: Value| move |object: &mut Value| object[name] = value.clone();
    let push = |value: Value| move |list: &mut Value| list.as_array_mut().unwrap().push(value.clone());
    let pop = |list: &mut Value| drop(list.as_array_mut().unwrap().pop());
    let set = |value: Value| move |place: &mut Value| *place = value.clone();
    const INVITE: &str = "/paths/~1guild~1invite/post";
    const SEARCH: &str = "/paths/~1guild~1players-without-guild/get/parameters";

    for (what, breaks) in [
        ("an operation goes", changed("/paths", &remove("/guild/invite"))),
        ("an operation is called otherwise", changed(INVITE, &insert("operationId", json!("guild_ask")))),
        ("a success goes", changed(&format!("{INVITE}/responses"), &remove("202"))),
        ("a success comes", changed(&format!("{INVITE}/responses"), &insert("200", json!({})))),
        (
            "a token is asked for",
            changed("/paths/~1guilds~1{page}~1{limit}/get/security", &push(json!({ "bearerAuth": [] }))),
        ),
        ("a parameter goes", changed(SEARCH, &pop)),
        ("a parameter is required", changed(&format!("{SEARCH}/2"), &insert("required", json!(true)))),
        ("a parameter narrows", changed(&format!("{SEARCH}/1/schema"), &insert("maximum", json!(50)))),
        (
            "a type is called otherwise",
            schema("GuildMember/properties/rank", &set(json!({ "$ref": "#/components/schemas/Role" }))),
        ),
        ("a field of an answer goes", schema("GuildCreated/properties", &remove("name"))),
        ("a field of an answer may be missing", schema("GuildCreated/required", &pop)),
        (
            "a field of an answer may be null",
            schema("GuildCreated/properties/name", &insert("nullable", json!(true))),
        ),
        (
            "a field of an answer changes its type",
            schema("GuildCreated/properties/name/type", &set(json!("integer"))),
        ),
        ("an answer has a new value", schema("PaymentStatus/enum", &push(json!("lost")))),
        ("an answer has no bound any more", schema("GuildId", &remove("minimum"))),
        (
            "a field comes where none was to come",
            schema("Money/properties", &insert("new", json!({ "type": "string" }))),
        ),
        ("a field of a request goes", schema("NewGuild/properties", &remove("character_id"))),
        ("a field of a request is required", schema("NewGuild/required", &push(json!("character_id")))),
        ("a request loses a value", schema("GivenRank/enum", &pop)),
        ("a request takes less", schema("GuildName/maxLength", &set(json!(20)))),
        ("a request has a new bound", schema("Motd", &insert("minLength", json!(1)))),
        ("a request has another pattern", schema("GuildName/pattern", &set(json!("^[a-z]+$")))),
        (
            "a request takes fewer items",
            schema("GivenDeliveries/properties/delivery_ids/maxItems", &set(json!(10))),
        ),
    ] {
        assert!(!breaks.is_empty(), "{what}, and it is not told");
    }
    for (what, breaks) in [
        ("nothing changes", changed("", &|_| {})),
        (
            "an operation comes",
            changed("/paths", &insert("/new", json!({ "get": { "operationId": "new" } }))),
        ),
        ("an error comes", changed(&format!("{INVITE}/responses"), &insert("418", json!({})))),
        ("an error goes", changed(&format!("{INVITE}/responses"), &remove("413"))),
        ("an optional parameter comes", changed(SEARCH, &push(json!({ "name": "new", "in": "query" })))),
        (
            "another token will do as well",
            changed(&format!("{INVITE}/security"), &push(json!({ "serviceToken": [] }))),
        ),
        (
            "an answer has a new field",
            schema("GuildCreated/properties", &insert("new", json!({ "type": "string" }))),
        ),
        ("an answer always has a field", schema("PaymentState/required", &push(json!("payload")))),
        (
            "a request has a new optional field",
            schema("NewGuild/properties", &insert("new", json!({ "type": "string" }))),
        ),
        ("a request takes a new value", schema("GivenRank/enum", &push(json!("recruit")))),
        ("a request takes more", schema("GuildName/maxLength", &set(json!(40)))),
        ("a request takes anything", schema("GuildName", &remove("pattern"))),
        ("it is described otherwise", changed(INVITE, &insert("description", json!("By whoever may.")))),
    ] {
        assert_eq!(breaks, Vec::<String>::new(), "{what}");
    }
}

#[test]
fn only_a_version_that_says_so_may_break_clients() {
    let moves = |old, new| {
        let version = |version| json!({ "info": { "version": version } });
        compatible::moves(&version(old), &version(new))
    };
    for (old, new) in [("0.1.0", "0.2.0"), ("0.1.9", "1.0.0"), ("1.4.0", "2.0.0"), ("0.0.3", "0.0.4")] {
        assert!(moves(old, new), "{old} to {new}");
    }
    for (old, new) in
        [("0.1.0", "0.1.0"), ("0.1.0", "0.1.1"), ("1.4.0", "1.5.0"), ("2.0.0", "1.9.0"), ("0.2.0", "0.1.0")]
    {
        assert!(!moves(old, new), "{old} to {new}");
    }
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

/// A generator makes a type of each name, and makes a name up for what has none.
#[test]
fn every_thing_has_one_name() {
    let document = document();
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
        for (kind, content) in contents.filter_map(|it| it["content"].as_object()).flatten() {
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
fn the_chapters_come_in_the_order_of_reading() {
    let document = document();
    let names: Vec<_> =
        document["tags"].as_array().unwrap().iter().map(|tag| tag["name"].as_str().unwrap()).collect();
    assert_eq!(
        names,
        ["Accounts", "Guilds", "Shop", "News", "Payments", "Operations", "Game", "Administration"]
    );
    let guilds = document["tags"][1]["description"].as_str().unwrap();
    assert!(guilds.contains("| 409 | `guild_name_taken` | Another guild has this name. |"), "{guilds}");
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
