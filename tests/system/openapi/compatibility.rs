//! Whether clients of one document work with another.
//!
//! Requests may only accept more, responses may only return less. Names that generated clients use must stay.
//! The comparison knows the part of JSON Schema that the document uses. A change that it cannot judge (another
//! pattern) counts as incompatible.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value};

/// The changes that break clients of the old document, one per line.
pub(super) fn incompatibilities(old: &Value, new: &Value) -> Vec<String> {
    let mut comparison = Comparison { old, new, compared: BTreeSet::new(), incompatibilities: Vec::new() };
    let new_operations = operations(new);
    for (id, (route, operation)) in operations(old) {
        match new_operations.get(id) {
            None => comparison.report(id, "the operation is removed"),
            Some((other, _)) if *other != route => {
                comparison.report(id, format!("is {other} now, not {route}"))
            }
            Some((_, other)) => comparison.operation(id, operation, other),
        }
    }
    comparison.incompatibilities
}

/// Whether the new version allows breaking changes: the first number that is not zero has increased.
pub(super) fn version_allows_incompatibility(old: &str, new: &str) -> bool {
    let numbers =
        |version: &str| -> Vec<u64> { version.split('.').map_while(|number| number.parse().ok()).collect() };
    let (old, new) = (numbers(old), numbers(new));
    let first = old.iter().position(|number| *number > 0).unwrap_or(0);
    new.get(..=first) > old.get(..=first)
}

/// The operations by their ids, each with its method and path.
fn operations(document: &Value) -> BTreeMap<&str, (String, &Value)> {
    let paths = document["paths"].as_object().into_iter().flatten();
    paths
        .flat_map(|(path, item)| {
            item.as_object().into_iter().flatten().map(move |(method, operation)| (method, path, operation))
        })
        .map(|(method, path, operation)| {
            (operation["operationId"].as_str().unwrap_or_default(), (format!("{method} {path}"), operation))
        })
        .collect()
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Direction {
    /// Clients send it. Every value that was accepted must still be accepted.
    Request,
    /// Clients receive it. It may only have values and fields that they know.
    Response,
}

struct Comparison<'a> {
    old: &'a Value,
    new: &'a Value,
    /// Named schemas that are already compared.
    compared: BTreeSet<(String, Direction)>,
    incompatibilities: Vec<String>,
}

impl Comparison<'_> {
    fn report(&mut self, place: &str, change: impl AsRef<str>) {
        self.incompatibilities.push(format!("{place}: {}", change.as_ref()));
    }

    fn operation(&mut self, id: &str, old: &Value, new: &Value) {
        if !credentials(old).is_subset(&credentials(new)) {
            self.report(id, "requires other credentials");
        }
        let parameters = named_parameters(new);
        for (name, parameter) in named_parameters(old) {
            let place = format!("{id} {name}");
            match parameters.get(&name) {
                None => self.report(&place, "the parameter is removed"),
                Some(other) => {
                    if other["required"] == true && parameter["required"] != true {
                        self.report(&place, "is required now");
                    }
                    self.schema(&place, Direction::Request, &parameter["schema"], &other["schema"]);
                }
            }
        }
        let known = named_parameters(old);
        for (name, parameter) in parameters {
            if parameter["required"] == true && !known.contains_key(&name) {
                self.report(&format!("{id} {name}"), "is a new required parameter");
            }
        }
        self.content(&format!("{id} body"), Direction::Request, &old["requestBody"], &new["requestBody"]);
        if new.get("requestBody").is_some() && old.get("requestBody").is_none() {
            self.report(id, "requires a body now");
        }
        for (status, response) in old["responses"].as_object().into_iter().flatten() {
            let place = format!("{id} {status}");
            match new["responses"].get(status) {
                Some(other) => self.content(&place, Direction::Response, response, other),
                // A client that handles an error that no longer occurs still works.
                None if status.starts_with('2') => self.report(&place, "is no longer returned"),
                None => {}
            }
        }
        for status in new["responses"].as_object().into_iter().flat_map(Map::keys) {
            if status.starts_with('2') && old["responses"].get(status).is_none() {
                self.report(&format!("{id} {status}"), "is a new success status");
            }
        }
    }

    fn content(&mut self, place: &str, direction: Direction, old: &Value, new: &Value) {
        for (media_type, content) in old["content"].as_object().into_iter().flatten() {
            match new["content"].get(media_type) {
                Some(other) => self.schema(place, direction, &content["schema"], &other["schema"]),
                None => self.report(place, format!("is no longer {media_type}")),
            }
        }
    }

    fn schema(&mut self, place: &str, direction: Direction, old: &Value, new: &Value) {
        match (schema_name(old), schema_name(new)) {
            (Some(before), Some(after)) if before == after => {
                if self.compared.insert((before.to_owned(), direction)) {
                    let [old, new] =
                        [self.old, self.new].map(|document| &document["components"]["schemas"][before]);
                    self.inline(before, direction, old, new);
                }
            }
            (None, None) => self.inline(place, direction, old, new),
            // The JSON has no names of types, so a new name changes nothing for the values.
            (None, Some(after)) => {
                let new = &self.new["components"]["schemas"][after];
                self.inline(place, direction, old, new);
            }
            (before, after) => {
                let described = |name: Option<&str>| name.unwrap_or("a type without a name").to_owned();
                self.report(place, format!("is {} now, not {}", described(after), described(before)));
            }
        }
    }

    fn inline(&mut self, place: &str, direction: Direction, old: &Value, new: &Value) {
        for kind in ["type", "format"] {
            if old[kind] != new[kind] {
                self.report(place, format!("the {kind} was {} and is {}", old[kind], new[kind]));
            }
        }
        self.values(place, direction, old, new);
        self.bounds(place, direction, old, new);
        self.fields(place, direction, old, new);
        if old.get("items").is_some() {
            self.schema(&format!("{place}[]"), direction, &old["items"], &new["items"]);
        }
    }

    fn values(&mut self, place: &str, direction: Direction, old: &Value, new: &Value) {
        let (before, after) = (entries(&old["enum"]), entries(&new["enum"]));
        for value in before.difference(&after) {
            self.report(place, format!("the value {value} is removed"));
        }
        if direction == Direction::Response || before.is_empty() {
            for value in after.difference(&before) {
                self.report(place, format!("{value} is a value that clients do not know"));
            }
        }
        let nullable = |schema: &Value| schema["nullable"] == true;
        match direction {
            Direction::Request if nullable(old) && !nullable(new) => {
                self.report(place, "must not be null now")
            }
            Direction::Response if nullable(new) && !nullable(old) => self.report(place, "may be null now"),
            _ => {}
        }
    }

    fn bounds(&mut self, place: &str, direction: Direction, old: &Value, new: &Value) {
        // A missing bound allows everything.
        let lower = |schema: &Value, bound: &str| schema[bound].as_f64().unwrap_or(f64::NEG_INFINITY);
        let upper = |schema: &Value, bound: &str| schema[bound].as_f64().unwrap_or(f64::INFINITY);
        for bound in ["minimum", "minLength", "minItems", "maximum", "maxLength", "maxItems"] {
            let (before, after) = match bound.starts_with("min") {
                true => (lower(old, bound), lower(new, bound)),
                false => (-upper(old, bound), -upper(new, bound)),
            };
            let narrower = after > before;
            if after != before && narrower == (direction == Direction::Request) {
                self.report(place, format!("{bound} was {} and is {}", old[bound], new[bound]));
            }
        }
        let is_removed = direction == Direction::Request && new.get("pattern").is_none();
        if old["pattern"] != new["pattern"] && !is_removed {
            self.report(place, "the pattern is another one, which may accept less or return more");
        }
    }

    fn fields(&mut self, place: &str, direction: Direction, old: &Value, new: &Value) {
        let required =
            |schema: &Value, field: &str| entries(&schema["required"]).contains(&format!("\"{field}\""));
        let closed = |schema: &Value| schema["additionalProperties"] == false;
        for (field, schema) in old["properties"].as_object().into_iter().flatten() {
            let place = format!("{place}.{field}");
            let Some(other) = new["properties"].get(field) else {
                self.report(&place, "is removed");
                continue;
            };
            match (direction, required(old, field), required(new, field)) {
                (Direction::Request, false, true) => self.report(&place, "is required now"),
                (Direction::Response, true, false) => self.report(&place, "may be missing now"),
                _ => {}
            }
            self.schema(&place, direction, schema, other);
        }
        for field in new["properties"].as_object().into_iter().flat_map(Map::keys) {
            let known = old["properties"].get(field).is_some();
            if direction == Direction::Request && required(new, field) && !known {
                self.report(&format!("{place}.{field}"), "is a new required field");
            }
            if direction == Direction::Response && closed(old) && !known {
                self.report(&format!("{place}.{field}"), "is new, but the schema excluded new fields");
            }
        }
        if direction == Direction::Request && closed(new) && !closed(old) {
            self.report(place, "no longer accepts other fields");
        }
    }
}

/// The name of a referenced schema. The reference may have a description.
fn schema_name(schema: &Value) -> Option<&str> {
    let reference = schema["$ref"].as_str().or(schema["allOf"][0]["$ref"].as_str());
    reference.and_then(|reference| reference.rsplit('/').next())
}

fn named_parameters(operation: &Value) -> BTreeMap<String, &Value> {
    let parameters = operation["parameters"].as_array().into_iter().flatten();
    let name = |parameter: &Value| format!("{} in {}", parameter["name"], parameter["in"]);
    parameters.map(|parameter| (name(parameter), parameter)).collect()
}

/// The alternatives of an operation; one of them is enough.
fn credentials(operation: &Value) -> BTreeSet<String> {
    let mut alternatives = entries(&operation["security"]);
    if alternatives.is_empty() {
        alternatives.insert("{}".to_owned());
    }
    alternatives
}

fn entries(list: &Value) -> BTreeSet<String> {
    list.as_array().into_iter().flatten().map(Value::to_string).collect()
}
