//! Lists the declared refusals that no test has provoked. It fails if there is one.
//!
//! The argument is the file to which the system tests have appended the refusals of their sites.

#![expect(clippy::unwrap_used, reason = "a check panics when it cannot continue")]

use std::{collections::BTreeSet, env, fs, process::ExitCode};

use guildhall_common::contract;

fn main() -> ExitCode {
    let provoked = fs::read_to_string(env::args().nth(1).unwrap()).unwrap();
    let provoked: BTreeSet<&str> = provoked.lines().collect();
    let declared = contract::commands().flat_map(|command| {
        command.refusals().into_iter().map(|refused| format!("{} {}", command.name, refused.code))
    });
    let unprovoked: Vec<String> = declared.filter(|refusal| !provoked.contains(refusal.as_str())).collect();
    if unprovoked.is_empty() {
        return ExitCode::SUCCESS;
    }
    eprintln!("No test provokes these declared refusals:\n{}", unprovoked.join("\n"));
    ExitCode::FAILURE
}
