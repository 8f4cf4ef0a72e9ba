//! Small corrections of the output of poem-openapi.

use serde_json::{Map, Value, json};

use super::walk::for_each_object;

pub(super) fn run(document: &mut Value) {
    for_each_object(document, &mut |object| {
        remove_nulls_of_examples(object);
        unwrap_event_streams(object);
        remove_repeated_descriptions(object);
        remove_false_deprecations(object);
        round_bounds_of_integers(object);
    });
}

/// The API leaves absent fields out. It never sends null.
fn remove_nulls_of_examples(object: &mut Map<String, Value>) {
    if let Some(example) = object.get_mut("example") {
        for_each_object(example, &mut |object| object.retain(|_, value| !value.is_null()));
    }
}

/// poem-openapi describes an event stream as an array, but each event is one item.
fn unwrap_event_streams(object: &mut Map<String, Value>) {
    if let Some(stream) = object.get_mut("text/event-stream") {
        stream["schema"] = stream["schema"]["items"].take();
    }
}

/// The description stands beside `allOf`. poem-openapi repeats it inside.
fn remove_repeated_descriptions(object: &mut Map<String, Value>) {
    if let Some(Value::Array(all)) = object.get_mut("allOf") {
        all.retain(|schema| schema.get("$ref").is_some());
    }
}

fn remove_false_deprecations(object: &mut Map<String, Value>) {
    if object.get("deprecated") == Some(&Value::Bool(false)) {
        object.shift_remove("deprecated");
    }
}

/// poem-openapi writes the bounds of integers as floating-point numbers.
fn round_bounds_of_integers(object: &mut Map<String, Value>) {
    if object.get("type").is_some_and(|kind| kind == "integer") {
        for bound in ["minimum", "maximum"] {
            if let Some(bound) = object.get_mut(bound) {
                *bound = json!(bound.as_f64().unwrap_or_default() as i64);
            }
        }
    }
}
