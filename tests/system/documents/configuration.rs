//! docs/CONFIGURATION.md: its tables are generated from the settings, and every setting of the documents is in it.

use std::{collections::BTreeMap, env, fs};

use clap::{Arg, Args, Command};
use guildhall_common::platform::config::{Logging, ServerSettings, SiteSettings};

use super::{
    Findings,
    markdown::{documents, read, repository},
};

const PATH: &str = "docs/CONFIGURATION.md";

/// With `GUILDHALL_RENEW_DOCUMENT` set, the file is updated instead.
#[test]
fn the_tables_are_those_of_the_code() {
    let old = read(PATH);
    let mut new = old.clone();
    for (name, table) in tables() {
        new = replace(&new, name, &table);
    }
    if old != new && env::var_os("GUILDHALL_RENEW_DOCUMENT").is_some() {
        fs::write(repository().join(PATH), new).unwrap();
        return;
    }
    assert!(
        old == new,
        "{PATH} is not up to date. Update it:\n  GUILDHALL_RENEW_DOCUMENT=yes cargo test -p guildhall-tests documents::configuration"
    );
}

#[test]
fn named_settings_are_in_the_configuration() {
    /// Settings of scripts and tests, and of the fake bank, which has its own manual.
    const OTHERS: [&str; 2] = ["GUILDHALL_RENEW_DOCUMENT", "GUILDHALL_SANDBOX_"];
    let configuration = read(PATH);
    let mut findings = Findings::default();
    // CHANGELOG names old settings too.
    for document in documents().into_iter().filter(|document| document.path != "CHANGELOG.md") {
        for (index, line) in document.text.lines().enumerate() {
            for name in names(line) {
                let is_other = OTHERS.iter().any(|other| name.starts_with(other));
                if !is_other && !configuration.contains(&format!("`{name}`")) {
                    findings.add(&document, index + 1, format!("{name} is not in {PATH}"));
                }
            }
        }
    }
    findings.assert_empty();
}

/// The variables that a line names.
fn names(line: &str) -> impl Iterator<Item = String> {
    line.match_indices("GUILDHALL_").map(|(start, _)| {
        let rest = &line[start..];
        let end = rest.find(|c: char| !c.is_ascii_uppercase() && !c.is_ascii_digit() && c != '_');
        rest[..end.unwrap_or(rest.len())].to_owned()
    })
}

/// The generated tables by the name of their marker.
fn tables() -> [(&'static str, String); 3] {
    let both = settings(|command| {
        Logging::augment_args(SiteSettings::augment_args(ServerSettings::augment_args(command)))
    });
    let own = |all: BTreeMap<usize, Arg>| -> BTreeMap<usize, Arg> {
        all.into_iter()
            .filter(|(_, setting)| !both.values().any(|shared| shared.get_env() == setting.get_env()))
            .collect()
    };
    let api = own(settings(guildhall_api::config::ApiConfig::augment_args));
    let workers = own(settings(guildhall_workers::config::WorkersConfig::augment_args));
    [("both", table(&both)), ("api", table(&api)), ("workers", table(&workers))]
}

/// The settings with an environment variable, in the order of `--help`.
fn settings(augment: impl Fn(Command) -> Command) -> BTreeMap<usize, Arg> {
    let command = augment(Command::new("service"));
    let settings = command
        .get_arguments()
        .filter(|argument| argument.get_env().is_some() && !argument.is_hide_set())
        .cloned();
    settings.enumerate().collect()
}

fn table(settings: &BTreeMap<usize, Arg>) -> String {
    let rows = settings.values().map(|setting| {
        let name = setting.get_env().unwrap().to_str().unwrap();
        let help = setting.get_long_help().or(setting.get_help());
        let meaning = help.map(ToString::to_string).unwrap_or_default();
        let values: Vec<String> =
            setting.get_possible_values().iter().map(|value| format!("`{}`", value.get_name())).collect();
        let values = if values.is_empty() { String::new() } else { format!(" ({})", values.join(" or ")) };
        let meaning = meaning.split_whitespace().collect::<Vec<_>>().join(" ").replace('|', "\\|");
        format!("| `{name}` | {} | {meaning}{values} |\n", default(setting))
    });
    format!("| Variable | Default | Meaning |\n|---|---|---|\n{}", rows.collect::<String>())
}

fn default(setting: &Arg) -> String {
    let defaults: Vec<&str> =
        setting.get_default_values().iter().map(|value| value.to_str().unwrap()).collect();
    match (defaults.as_slice(), setting.is_required_set()) {
        ([], true) => "required".to_owned(),
        ([], false) => "none".to_owned(),
        (values, _) => format!("`{}`", values.join(",")),
    }
}

/// Replaces the text between the markers of a table.
fn replace(document: &str, name: &str, table: &str) -> String {
    let (begin, end) = (format!("<!-- begin {name} -->\n"), format!("<!-- end {name} -->"));
    let (before, rest) = document.split_once(&begin).unwrap_or_else(|| panic!("{PATH} has no {begin}"));
    let (_, after) = rest.split_once(&end).unwrap_or_else(|| panic!("{PATH} has no {end}"));
    format!("{before}{begin}\n{table}\n{end}{after}")
}
