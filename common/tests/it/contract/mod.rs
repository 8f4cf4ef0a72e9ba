//! The declarations of all commands.

mod values;

use std::{collections::BTreeSet, env, fs, path::Path};

use guildhall_common::contract::{
    self,
    command::{DeclaredCommand, Domain, Visit, Visitor},
};

/// Each command as it is queued: its example, and further forms of its fields. Other versions of the service read queued commands,
/// so a line never changes; a changed command is a new one. A release copies this file.
const WIRE_FORMS: &str = include_str!("wire_forms.jsonl");

/// The forms of the last release.
const LAST_RELEASE: &str = include_str!("wire_forms_0.3.0.jsonl");

/// Commands of the last release that no version sends any more which may still run.
const ENDED: [&str; 2] = ["shop.update_category", "shop.update_offer"];

#[test]
fn each_wire_form_is_parsed_and_written_without_a_change() {
    for line in WIRE_FORMS.lines() {
        let written: Vec<String> = contract::visit_domains(RoundTrip(line)).into_iter().flatten().collect();
        assert_eq!(written, [line], "exactly one domain must know it");
    }
}

/// With `GUILDHALL_RENEW_DOCUMENT` set, the test adds the examples of new commands.
#[test]
fn each_example_is_one_of_the_wire_forms() {
    let mut lines: BTreeSet<String> = WIRE_FORMS.lines().map(ToOwned::to_owned).collect();
    let example =
        |declared: &DeclaredCommand| format!(r#"{{"name":"{}","body":{}}}"#, declared.name, declared.example);
    let missing: Vec<String> =
        contract::commands().map(example).filter(|line| !lines.contains(line)).collect();
    if !missing.is_empty() && env::var_os("GUILDHALL_RENEW_DOCUMENT").is_some() {
        lines.extend(missing);
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/contract/wire_forms.jsonl");
        fs::write(path, lines.iter().map(|line| format!("{line}\n")).collect::<String>()).unwrap();
        return;
    }
    assert!(missing.is_empty(), "wire_forms.jsonl lacks these lines: ./dev document\n{}", missing.join("\n"));
}

#[test]
fn the_wire_forms_of_the_last_release_are_still_read() {
    let lines: BTreeSet<&str> = WIRE_FORMS.lines().collect();
    let is_ended = |line: &str| ENDED.iter().any(|name| line.starts_with(&format!(r#"{{"name":"{name}","#)));
    let missing: Vec<&str> =
        LAST_RELEASE.lines().filter(|line| !lines.contains(line) && !is_ended(line)).collect();
    assert!(missing.is_empty(), "these forms are gone:\n{}", missing.join("\n"));
}

#[test]
fn names_are_unique() {
    let names: BTreeSet<&str> = contract::commands().map(|command| command.name).collect();
    assert_eq!(names.len(), contract::commands().count());
}

#[test]
fn the_refusal_of_strangers_is_one_of_the_refusals() {
    for command in contract::commands() {
        let refusals = command.refusals();
        assert!(command.stranger().is_none_or(|stranger| refusals.contains(&stranger)), "{}", command.name);
        let codes: BTreeSet<&str> = refusals.iter().map(|refused| refused.code.as_str()).collect();
        assert_eq!(codes.len(), refusals.len(), "{} declares a refusal twice", command.name);
    }
}

/// Parses a command and writes it again, if the domain knows it.
#[derive(Clone)]
struct RoundTrip<'a>(&'a str);

impl Visitor for RoundTrip<'_> {
    type Output = Option<String>;
}

impl<D: Domain> Visit<D> for RoundTrip<'_> {
    fn visit(self) -> Option<String> {
        let command: D = serde_json::from_str(self.0).ok()?;
        Some(serde_json::to_string(&command).unwrap())
    }
}
