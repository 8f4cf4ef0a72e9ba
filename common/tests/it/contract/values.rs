//! A property of the values of all commands: each is written as it is read again.

use std::{cell::Cell, sync::LazyLock};

use guildhall_common::contract;
use proptest::{prelude::*, sample::Index, test_runner::TestRunner};
use serde_json::Value;

use super::{RoundTrip, WIRE_FORMS};

static COMMANDS: LazyLock<Vec<Value>> =
    LazyLock::new(|| WIRE_FORMS.lines().map(|line| serde_json::from_str(line).unwrap()).collect());

/// The pointers of all fields that have no fields themselves.
fn scalars(value: &Value, pointer: &str, found: &mut Vec<String>) {
    match value {
        Value::Object(fields) => {
            for (name, field) in fields {
                scalars(field, &format!("{pointer}/{name}"), found);
            }
        }
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                scalars(item, &format!("{pointer}/{index}"), found);
            }
        }
        _ => found.push(pointer.to_owned()),
    }
}

/// A command with another value in one of its fields.
fn changed_command() -> impl Strategy<Value = String> {
    (any::<Index>(), any::<Index>(), any_scalar()).prop_map(|(command, field, value)| {
        let mut command = command.get::<Value>(&COMMANDS).clone();
        let mut pointers = vec![];
        scalars(&command["body"], "/body", &mut pointers);
        if !pointers.is_empty() {
            let pointer = field.get::<String>(&pointers);
            *command.pointer_mut(pointer).unwrap() = value;
        }
        command.to_string()
    })
}

fn any_scalar() -> impl Strategy<Value = Value> {
    prop_oneof![
        4 => time().prop_map(Value::from),
        2 => ".{0,30}".prop_map(Value::from),
        2 => "[ -~]{0,30}".prop_map(Value::from),
        1 => "[A-Za-z]{3,10}".prop_map(Value::from),
        1 => "[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}".prop_map(Value::from),
        2 => "-?[0-9]{1,19}(\\.[0-9]{1,3})?".prop_map(Value::from),
        2 => prop_oneof![any::<i64>(), -2..=100_i64].prop_map(Value::from),
        1 => any::<f64>().prop_map(Value::from),
        1 => any::<bool>().prop_map(Value::from),
        1 => Just(Value::Null),
    ]
}

/// A text in the format of RFC 3339, mostly at the first or the last second of a year.
fn time() -> &'static str {
    concat!(
        "(0000|0001|1969|2016|2030|9999)-(01-01|12-31|02-29)[Tt]",
        "(00:00:00|23:59:59|23:59:60|12:30:15)(\\.[0-9]{1,12})?([Zz]|[+-](00|01|14|23):(00|59))"
    )
}

/// The command as it is written, if it can be read.
fn written(command: &str) -> Option<String> {
    contract::visit_domains(RoundTrip(command)).into_iter().flatten().next()
}

#[test]
fn each_value_that_is_read_is_written_and_read_as_the_same() {
    let read = Cell::new(0);
    let mut runner =
        TestRunner::new(ProptestConfig { cases: 15_000, failure_persistence: None, ..Default::default() });
    let property = |command: String| {
        if let Some(first) = written(&command) {
            read.set(read.get() + 1);
            prop_assert_eq!(written(&first), Some(first), "{}", command);
        }
        Ok(())
    };
    runner.run(&changed_command(), property).unwrap();
    assert!(read.get() > 1_500, "only {} of the commands were valid", read.get());
}
