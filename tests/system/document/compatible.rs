//! Whether clients of one document can go on with another. Requests may only become wider and answers only
//! narrower; and nothing that has a name in a generated client may go away or be called something else.
//!
//! It knows the part of JSON Schema that our document uses, and takes what it cannot judge (a changed pattern) for a break.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value};

/// What would break clients of the old document, a line each; empty when nothing would.
pub(super) fn breaks(old: &Value, new: &Value) -> Vec<String> {
    let mut comparison = Comparison { old, new, seen: BTreeSet::new(), breaks: Vec::new() };
    let new_operations = operations(new);
    for (id, (route, operation)) in operations(old) {
        match new_operations.get(id) {
            None => comparison.says(id, "the operation is gone"),
            Some((other, _)) if *other != route => {
                comparison.says(id, format!("is {other} now, not {route}"))
            }
            Some((_, other)) => comparison.operation(id, operation, other),
        }
    }
    comparison.breaks
}

/// Whether the version says that clients may break: the first number that is not zero has grown.
pub(super) fn moves(old: &Value, new: &Value) -> bool {
    let numbers = |document: &Value| -> Vec<u64> {
        let version = document["info"]["version"].as_str().unwrap_or_default();
        version.split('.').map_while(|number| number.parse().ok()).collect()
    };
    let (old, new) = (numbers(old), numbers(new));
    let first = old.iter().position(|number| *number > 0).unwrap_or(0);
    new.get(..=first) > old.get(..=first)
}

/// By their names: what they are at, and they.
fn operations(document: &Value) -> BTreeMap<&str, (String, &Value)> {
    let paths = document["paths"].as_object().into_iter().flatten();
    paths
        .flat_map(|(path, item)| {
            item.as_object().into_iter().flatten().map(move |(method, it)| (method, path, it))
        })
        .map(|(method, path, it)| {
            (it["operationId"].as_str().unwrap_or_default(), (format!("{method} {path}"), it))
        })
        .collect()
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Way {
    /// Clients send it: what was taken must still be taken.
    Request,
    /// Clients are sent it: what they know must be all that comes.
    Answer,
}

struct Comparison<'a> {
    old: &'a Value,
    new: &'a Value,
    /// Named schemas that were compared already.
    seen: BTreeSet<(String, Way)>,
    breaks: Vec<String>,
}

impl Comparison<'_> {
    fn says(&mut self, place: &str, what: impl AsRef<str>) {
        self.breaks.push(format!("{place}: {}", what.as_ref()));
    }

    fn operation(&mut self, id: &str, old: &Value, new: &Value) {
        if !credentials(old).is_subset(&credentials(new)) {
            self.says(id, "asks for other credentials");
        }
        let parameters = named_parameters(new);
        for (name, parameter) in named_parameters(old) {
            let place = format!("{id} {name}");
            match parameters.get(&name) {
                None => self.says(&place, "the parameter is gone"),
                Some(other) => {
                    if other["required"] == true && parameter["required"] != true {
                        self.says(&place, "is required now");
                    }
                    self.schema(&place, Way::Request, &parameter["schema"], &other["schema"]);
                }
            }
        }
        let known = named_parameters(old);
        for (name, parameter) in parameters {
            if parameter["required"] == true && !known.contains_key(&name) {
                self.says(&format!("{id} {name}"), "is a new required parameter");
            }
        }
        self.content(&format!("{id} body"), Way::Request, &old["requestBody"], &new["requestBody"]);
        if new.get("requestBody").is_some() && old.get("requestBody").is_none() {
            self.says(id, "asks for a body now");
        }
        for (status, response) in old["responses"].as_object().into_iter().flatten() {
            let place = format!("{id} {status}");
            match new["responses"].get(status) {
                Some(other) => self.content(&place, Way::Answer, response, other),
                // A client that waits for an error that never comes is not broken.
                None if status.starts_with('2') => self.says(&place, "is answered no more"),
                None => {}
            }
        }
        for status in new["responses"].as_object().into_iter().flat_map(Map::keys) {
            if status.starts_with('2') && old["responses"].get(status).is_none() {
                self.says(&format!("{id} {status}"), "is a new success that clients do not know");
            }
        }
    }

    fn content(&mut self, place: &str, way: Way, old: &Value, new: &Value) {
        for (media_type, content) in old["content"].as_object().into_iter().flatten() {
            match new["content"].get(media_type) {
                Some(other) => self.schema(place, way, &content["schema"], &other["schema"]),
                None => self.says(place, format!("is {media_type} no more")),
            }
        }
    }

    fn schema(&mut self, place: &str, way: Way, old: &Value, new: &Value) {
        match (name(old), name(new)) {
            (Some(before), Some(after)) if before == after => {
                if self.seen.insert((before.to_owned(), way)) {
                    let [old, new] =
                        [self.old, self.new].map(|document| &document["components"]["schemas"][before]);
                    self.inline(before, way, old, new);
                }
            }
            (None, None) => self.inline(place, way, old, new),
            (before, after) => {
                let called = |name: Option<&str>| name.unwrap_or("a type without a name").to_owned();
                self.says(place, format!("is {} now, not {}", called(after), called(before)));
            }
        }
    }

    fn inline(&mut self, place: &str, way: Way, old: &Value, new: &Value) {
        for kind in ["type", "format"] {
            if old[kind] != new[kind] {
                self.says(place, format!("the {kind} was {} and is {}", old[kind], new[kind]));
            }
        }
        self.values(place, way, old, new);
        self.bounds(place, way, old, new);
        self.fields(place, way, old, new);
        if old.get("items").is_some() {
            self.schema(&format!("{place}[]"), way, &old["items"], &new["items"]);
        }
    }

    fn values(&mut self, place: &str, way: Way, old: &Value, new: &Value) {
        let (before, after) = (entries(&old["enum"]), entries(&new["enum"]));
        for value in before.difference(&after) {
            self.says(place, format!("{value} is no value of it any more"));
        }
        if way == Way::Answer || before.is_empty() {
            for value in after.difference(&before) {
                self.says(place, format!("{value} is a value that clients do not know"));
            }
        }
        let nullable = |schema: &Value| schema["nullable"] == true;
        match way {
            Way::Request if nullable(old) && !nullable(new) => self.says(place, "may not be null any more"),
            Way::Answer if nullable(new) && !nullable(old) => self.says(place, "may be null now"),
            _ => {}
        }
    }

    fn bounds(&mut self, place: &str, way: Way, old: &Value, new: &Value) {
        // No bound is the widest one.
        let lower = |schema: &Value, bound: &str| schema[bound].as_f64().unwrap_or(f64::NEG_INFINITY);
        let upper = |schema: &Value, bound: &str| schema[bound].as_f64().unwrap_or(f64::INFINITY);
        for bound in ["minimum", "minLength", "minItems", "maximum", "maxLength", "maxItems"] {
            let (before, after) = match bound.starts_with("min") {
                true => (lower(old, bound), lower(new, bound)),
                false => (-upper(old, bound), -upper(new, bound)),
            };
            let narrower = after > before;
            if after != before && narrower == (way == Way::Request) {
                self.says(place, format!("{bound} was {} and is {}", old[bound], new[bound]));
            }
        }
        let loosened = way == Way::Request && new.get("pattern").is_none();
        if old["pattern"] != new["pattern"] && !loosened {
            self.says(place, "another pattern, which may take less or give more");
        }
    }

    fn fields(&mut self, place: &str, way: Way, old: &Value, new: &Value) {
        let required =
            |schema: &Value, field: &str| entries(&schema["required"]).contains(&format!("\"{field}\""));
        let closed = |schema: &Value| schema["additionalProperties"] == false;
        for (field, schema) in old["properties"].as_object().into_iter().flatten() {
            let place = format!("{place}.{field}");
            let Some(other) = new["properties"].get(field) else {
                self.says(&place, "is gone");
                continue;
            };
            match (way, required(old, field), required(new, field)) {
                (Way::Request, false, true) => self.says(&place, "is required now"),
                (Way::Answer, true, false) => self.says(&place, "may be missing now"),
                _ => {}
            }
            self.schema(&place, way, schema, other);
        }
        for field in new["properties"].as_object().into_iter().flat_map(Map::keys) {
            let known = old["properties"].get(field).is_some();
            if way == Way::Request && required(new, field) && !known {
                self.says(&format!("{place}.{field}"), "is a new required field");
            }
            if way == Way::Answer && closed(old) && !known {
                self.says(&format!("{place}.{field}"), "is new where no other fields were to come");
            }
        }
        if way == Way::Request && closed(new) && !closed(old) {
            self.says(place, "takes no other fields any more");
        }
    }
}

/// Of a reference, alone or with a description beside it.
fn name(schema: &Value) -> Option<&str> {
    let reference = schema["$ref"].as_str().or(schema["allOf"][0]["$ref"].as_str());
    reference.and_then(|reference| reference.rsplit('/').next())
}

fn named_parameters(operation: &Value) -> BTreeMap<String, &Value> {
    let parameters = operation["parameters"].as_array().into_iter().flatten();
    parameters.map(|it| (format!("{} in {}", it["name"], it["in"]), it)).collect()
}

/// Each is enough.
fn credentials(operation: &Value) -> BTreeSet<String> {
    let mut enough = entries(&operation["security"]);
    if enough.is_empty() {
        enough.insert("{}".to_owned());
    }
    enough
}

fn entries(list: &Value) -> BTreeSet<String> {
    list.as_array().into_iter().flatten().map(Value::to_string).collect()
}
