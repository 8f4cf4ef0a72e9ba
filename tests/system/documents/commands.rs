//! The commands in the documents: `./dev` and the two binaries accept them.

use std::{collections::BTreeSet, process::Command};

use super::{
    Findings,
    markdown::{documents, repository},
};
use crate::support::binaries::{BINARIES, binaries};

#[test]
fn dev_commands_are_in_its_help() {
    let output = Command::new("bash").arg(repository().join("dev")).arg("help").output().unwrap();
    assert!(output.status.success(), "./dev help fails: {}", String::from_utf8_lossy(&output.stderr));
    let help = String::from_utf8(output.stdout).unwrap();
    let known: BTreeSet<&str> = help.split("./dev ").skip(1).filter_map(first_word).collect();
    assert!(known.contains("up") && known.contains("test"), "./dev help lists no commands:\n{help}");

    let mut findings = Findings::default();
    for document in documents() {
        for (index, line) in document.text.lines().enumerate() {
            for command in line.split("./dev ").skip(1).filter_map(first_word) {
                if !known.contains(command) && command != "help" {
                    findings.add(&document, index + 1, format!("./dev {command} is not in ./dev help"));
                }
            }
        }
    }
    findings.assert_empty();
}

fn first_word(text: &str) -> Option<&str> {
    let end = text.find(|c: char| !c.is_ascii_lowercase() && c != '-').unwrap_or(text.len());
    (end > 0).then(|| &text[..end])
}

#[test]
fn command_lines_are_accepted() {
    let mut findings = Findings::default();
    let mut count = 0;
    for document in documents().into_iter().filter(|document| !document.path.ends_with("CHANGELOG.md")) {
        for (line, text) in document.command_lines().into_iter().chain(document.code_spans()) {
            let words = words(&text);
            let Some(start) = words.iter().position(|word| BINARIES.contains(&word.as_str())) else {
                continue;
            };
            // `cargo run -p guildhall-api -- serve` separates its own arguments.
            let arguments = words[start + 1..].iter().filter(|word| *word != "--");
            let arguments: Vec<&str> = arguments.map(|word| example_of(word)).collect();
            if arguments.is_empty() || arguments.contains(&"…") {
                continue;
            }
            count += 1;
            if let Err(error) = is_accepted(&words[start], &arguments) {
                findings.add(&document, line, format!("{text}: {error}"));
            }
        }
    }
    findings.assert_empty();
    assert!(count >= 20, "the documents have fewer commands than before: {count}");
}

/// Whether clap accepts the arguments. No setting is given, so a command that needs the servers ends there: clap reports
/// the missing settings only for complete command lines.
fn is_accepted(binary: &str, arguments: &[&str]) -> Result<(), String> {
    let output = Command::new(binaries().join(binary)).args(arguments).env_clear().output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    let lacks_settings = errors.starts_with("Required settings are missing");
    if output.status.code() == Some(2) && !lacks_settings { Err(errors) } else { Ok(()) }
}

/// A value for a placeholder.
fn example_of(word: &str) -> &str {
    match word {
        "FOLDER" => concat!(env!("CARGO_TARGET_TMPDIR"), "/mails"),
        "EMAIL" => "name@example.org",
        "ID" => "1",
        "URL" => "https://example.org/payments/instant/webhook",
        word => word,
    }
}

/// The words of a command line, as a shell splits them, up to the next command.
fn words(line: &str) -> Vec<String> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
    for c in line.chars() {
        match (c, quote) {
            ('"' | '\'', None) => (quote, word) = (Some(c), Some(word.unwrap_or_default())),
            (c, Some(open)) if c == open => quote = None,
            (' ', None) => words.extend(word.take()),
            ('|' | ';' | '&', None) => break,
            (c, _) => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}
