//! What poem-openapi cannot write: done to the JSON of its document.

use std::collections::{BTreeSet, HashMap};

use guildhall_common::contract::command::Refused;
use poem_openapi::registry::MetaApi;
use serde_json::{Map, Value, json};

use crate::{http::problem, openapi::refusals, payments::WEBHOOKS};

const SCHEMAS: &str = "#/components/schemas/";

/// The document as it is published: its chapters as the endpoints come, names as people write them, bodies
/// that take no fields but those described, and what the bank sends.
pub(super) fn finished(document: &str, apis: &[MetaApi]) -> String {
    let mut document: Value = serde_json::from_str(document).unwrap_or_default();
    in_order_of_reading(&mut document, apis);
    list_refusals(&mut document);
    name_generics(&mut document);
    close_bodies(&mut document);
    name_ids(&mut document);
    objects(&mut document, &mut tidy);
    describe_parameters(&mut document);
    say_what_is_open(&mut document);
    call_back(&mut document);
    serde_json::to_string_pretty(&document).unwrap_or_default()
}

/// poem-openapi sorts the tags by name.
fn in_order_of_reading(document: &mut Value, apis: &[MetaApi]) {
    let operations = apis.iter().flat_map(|api| &api.paths).flat_map(|path| &path.operations);
    let chapters: Vec<&str> = operations.flat_map(|operation| operation.tags.iter().copied()).collect();
    if let Some(tags) = document["tags"].as_array_mut() {
        tags.sort_by_key(|tag| chapters.iter().position(|chapter| tag["name"] == *chapter));
    }
}

/// Which `code` a refused command is answered with: whoever writes a client wants all of them.
fn list_refusals(document: &mut Value) {
    for tag in document["tags"].as_array_mut().into_iter().flatten() {
        let refusals = refusals(tag["name"].as_str().unwrap_or_default());
        if refusals.is_empty() {
            continue;
        }
        let rows = refusals.into_iter().map(|Refused { kind, code, detail }| {
            format!("\n| {} | `{code}` | {detail} |", problem::status(kind).as_u16())
        });
        let table = rows.collect::<String>();
        let text = tag["description"].as_str().unwrap_or_default();
        tag["description"] =
            format!("{text}\n\n| Status | Code | Refused because |\n|---|---|---|{table}").into();
    }
}

/// poem-openapi calls a `ListPage<Offer>` `ListPage_Offer`; here it is an `OfferList`.
fn name_generics(document: &mut Value) {
    let renamed = |name: &str| match name.split_once('_') {
        Some(("ListPage", item)) => format!("{item}List"),
        Some((generic, argument)) => format!("{argument}{generic}"),
        None => name.to_owned(),
    };
    if let Some(schemas) = document["components"]["schemas"].as_object_mut() {
        *schemas =
            std::mem::take(schemas).into_iter().map(|(name, schema)| (renamed(&name), schema)).collect();
        // The title would be the old name once more, and some generators prefer it.
        schemas.values_mut().filter_map(Value::as_object_mut).for_each(|schema| {
            schema.shift_remove("title");
        });
    }
    objects(document, &mut |object| {
        if let Some(Value::String(reference)) = object.get_mut("$ref") {
            *reference = format!("{SCHEMAS}{}", renamed(reference.trim_start_matches(SCHEMAS)));
        }
    });
}

/// A field that is called `guild_id` holds a `GuildId`, in answers as in requests: what a client was answered
/// it can send back.
fn name_ids(document: &mut Value) {
    let schemas = document["components"]["schemas"].as_object().into_iter().flatten();
    let ids = schemas.filter(|(name, schema)| name.ends_with("Id") && schema["type"] == "integer");
    let mut ids: HashMap<String, Value> = ids
        .map(|(name, _)| {
            let field = format!("{}_id", name.trim_end_matches("Id").to_lowercase());
            (field, json!({ "$ref": format!("{SCHEMAS}{name}") }))
        })
        .collect();
    for leader in ["leader_id", "former_leader_id"] {
        ids.insert(leader.to_owned(), json!({ "$ref": format!("{SCHEMAS}CharacterId") }));
    }
    objects(document, &mut |object| {
        for (name, field) in object.get_mut("properties").and_then(Value::as_object_mut).into_iter().flatten()
        {
            if field["type"] == "integer"
                && let Some(id) = ids.get(name)
            {
                *field = id.clone();
            }
        }
    });
}

/// Bodies are parsed with `deny_unknown_fields`. What banks send is theirs to extend.
fn close_bodies(document: &mut Value) {
    let mut open: Vec<String> = Vec::new();
    let ours = |path: &&String| !WEBHOOKS.contains(&path.as_str());
    let paths = document["paths"].as_object().into_iter().flatten().filter(|(path, _)| ours(path));
    for operation in paths.flat_map(|(_, path)| path.as_object()).flatten() {
        open.extend(references(&operation.1["requestBody"]));
    }
    let mut closed = BTreeSet::new();
    while let Some(name) = open.pop() {
        let schema = &mut document["components"]["schemas"][&name];
        if closed.insert(name) {
            open.extend(references(schema));
            if schema["type"] == "object" {
                schema["additionalProperties"] = false.into();
            }
        }
    }
}

/// What there is not is left out, of examples as well; a description that stands beside a reference already
/// is not said in it again; and whole numbers are bounded by whole numbers.
fn tidy(object: &mut Map<String, Value>) {
    if let Some(example) = object.get_mut("example") {
        objects(example, &mut |object| object.retain(|_, value| !value.is_null()));
    }
    // poem-openapi takes a stream for an array. Each event holds one of the items.
    if let Some(stream) = object.get_mut("text/event-stream") {
        stream["schema"] = stream["schema"]["items"].take();
    }
    if let Some(Value::Array(all)) = object.get_mut("allOf") {
        all.retain(|schema| schema.get("$ref").is_some());
    }
    if object.get("deprecated") == Some(&Value::Bool(false)) {
        object.shift_remove("deprecated");
    }
    if object.get("type").is_some_and(|kind| kind == "integer") {
        for bound in ["minimum", "maximum"] {
            if let Some(bound) = object.get_mut(bound) {
                // A float of poem-openapi's, and whole, being the bound of a whole number.
                *bound = json!(bound.as_f64().unwrap_or_default() as i64);
            }
        }
    }
}

/// What a type says of itself is said of a parameter that has nothing of its own to say.
fn describe_parameters(document: &mut Value) {
    let schemas = document["components"]["schemas"].clone();
    objects(document, &mut |object| {
        for parameter in object.get_mut("parameters").and_then(Value::as_array_mut).into_iter().flatten() {
            let schema = &parameter["schema"];
            let named = schema["$ref"].as_str().map(|name| &schemas[name.trim_start_matches(SCHEMAS)]);
            let description = named.unwrap_or(schema)["description"].clone();
            if parameter.get("description").is_none() && !description.is_null() {
                parameter["description"] = description;
            }
        }
    });
}

/// An operation that says nothing of security might have been forgotten.
fn say_what_is_open(document: &mut Value) {
    let paths = document["paths"].as_object_mut().into_iter().flatten();
    for (_, operation) in paths.flat_map(|(_, path)| path.as_object_mut()).flatten() {
        if operation.get("security").is_none() {
            operation["security"] = json!([]);
        }
    }
}

/// The bank calls the site when a payment is paid: the same requests as at their own paths.
fn call_back(document: &mut Value) {
    let calls = WEBHOOKS.map(|path| {
        let mut call = document["paths"][path]["post"].clone();
        if let Some(call) = call.as_object_mut() {
            call.retain(|field, _| {
                ["tags", "summary", "description", "requestBody", "responses", "security"]
                    .contains(&field.as_str())
            });
        }
        (path.to_owned(), json!({ "post": call }))
    });
    document["paths"]["/payments/instant/qrcode"]["post"]["callbacks"] =
        json!({ "paid": Map::from_iter(calls) });
}

/// The names of the schemas that are referred to.
fn references(value: &Value) -> Vec<String> {
    let mut names = Vec::new();
    objects(&mut value.clone(), &mut |object| {
        let name = object.get("$ref").and_then(Value::as_str);
        names.extend(name.map(|name| name.trim_start_matches(SCHEMAS).to_owned()));
    });
    names
}

/// Every object in there, the outer ones first.
fn objects(value: &mut Value, visit: &mut impl FnMut(&mut Map<String, Value>)) {
    match value {
        Value::Object(object) => {
            visit(object);
            object.values_mut().for_each(|value| objects(value, visit));
        }
        Value::Array(items) => items.iter_mut().for_each(|value| objects(value, visit)),
        _ => {}
    }
}
