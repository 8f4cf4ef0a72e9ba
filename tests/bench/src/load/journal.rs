//! The journal of a load: each request with its operation and status, and the check that no accepted command is lost.

use std::{
    collections::HashMap,
    fs::OpenOptions,
    io::{BufWriter, Write},
    path::Path,
    time::Duration,
};

use serde_json::json;
use uuid::Uuid;

/// The maximum number of requests that a violation names.
const NAMED: usize = 5;

/// A request and its last response.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct JournalEntry {
    /// The number of the client, and of its request.
    pub(crate) client: usize,
    pub(crate) number: usize,
    /// The idempotency key.
    pub(crate) key: Option<Uuid>,
    /// The operation that the response names.
    pub(crate) operation_id: Option<Uuid>,
    pub(crate) status: u16,
    /// Since the start of the load.
    pub(crate) started: Duration,
    pub(crate) latency: Duration,
    /// The number of responses 503 before the last one.
    pub(crate) turned_away: u32,
}

impl JournalEntry {
    pub(crate) fn is_success(&self) -> bool {
        (200..300).contains(&self.status)
    }

    /// The time of the last response, since the start of the load.
    pub(crate) fn ended(&self) -> Duration {
        self.started + self.latency
    }

    fn name(&self) -> String {
        let id = |id: Option<Uuid>| id.map_or("none".to_owned(), |id| id.to_string());
        format!("operation {}, key {}, status {}", id(self.operation_id), id(self.key), self.status)
    }
}

/// The stored outcome of an operation: whether it was applied.
pub(crate) type Outcomes = HashMap<Uuid, bool>;

/// Compares a journal with the stored outcomes. Returns a line for each kind of violation.
pub(crate) fn check(entries: &[JournalEntry], outcomes: &Outcomes) -> Vec<String> {
    let mut keys: HashMap<Uuid, &JournalEntry> = HashMap::new();
    let [mut failed, mut unnamed, mut lost, mut refused, mut shared] = [const { Vec::new() }; 5];
    for entry in entries {
        let Some(operation_id) = entry.operation_id.filter(|_| entry.is_success()) else {
            if entry.is_success() {
                unnamed.push(entry)
            } else {
                failed.push(entry)
            }
            continue;
        };
        match outcomes.get(&operation_id) {
            None => lost.push(entry),
            Some(false) => refused.push(entry),
            Some(true) => {}
        }
        if keys.insert(operation_id, entry).is_some() {
            shared.push(entry);
        }
    }
    let violations = [
        ("requests failed", failed),
        ("successes name no operation", unnamed),
        ("lost: accepted commands have no outcome", lost),
        ("accepted commands were refused", refused),
        ("duplicated: requests have the operation of another one", shared),
    ];
    let found = violations.into_iter().filter(|(_, entries)| !entries.is_empty());
    found
        .map(|(title, entries)| {
            let names: Vec<String> = entries.iter().take(NAMED).map(|entry| entry.name()).collect();
            format!("{title}: {} ({})", entries.len(), names.join("; "))
        })
        .collect()
}

/// Appends the entries of a case to the file of the journal, a JSON line each.
///
/// # Errors
/// When the file cannot be written.
pub(crate) fn append(path: &Path, case: &str, entries: &[JournalEntry]) -> std::io::Result<()> {
    let mut file = BufWriter::new(OpenOptions::new().create(true).append(true).open(path)?);
    for entry in entries {
        let line = json!({
            "case": case, "key": entry.key, "operation_id": entry.operation_id, "status": entry.status,
            "started_ms": entry.started.as_millis(), "latency_us": entry.latency.as_micros(),
            "turned_away": entry.turned_away,
        });
        writeln!(file, "{line}")?;
    }
    file.flush()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(operation: u128, status: u16) -> JournalEntry {
        JournalEntry {
            client: 0,
            number: 0,
            key: Some(Uuid::from_u128(1000 + operation)),
            operation_id: (operation > 0).then(|| Uuid::from_u128(operation)),
            status,
            started: Duration::ZERO,
            latency: Duration::ZERO,
            turned_away: 0,
        }
    }

    fn violations(entries: &[JournalEntry], stored: &[(u128, bool)]) -> Vec<String> {
        let outcomes = stored.iter().map(|(id, applied)| (Uuid::from_u128(*id), *applied)).collect();
        let lines = check(entries, &outcomes);
        lines.into_iter().map(|line| line.split(" (").next().unwrap_or_default().to_owned()).collect()
    }

    #[test]
    fn applied_commands_are_no_violation() {
        assert!(violations(&[entry(1, 200), entry(2, 202)], &[(1, true), (2, true)]).is_empty());
    }

    #[test]
    fn accepted_command_without_an_outcome_is_lost() {
        let expected = ["lost: accepted commands have no outcome: 1"];
        assert_eq!(violations(&[entry(1, 202), entry(2, 202)], &[(1, true)]), expected);
    }

    #[test]
    fn refused_failed_and_unnamed_commands_are_violations() {
        let entries = [entry(1, 202), entry(2, 409), entry(0, 200)];
        let expected =
            ["requests failed: 1", "successes name no operation: 1", "accepted commands were refused: 1"];
        assert_eq!(violations(&entries, &[(1, false), (2, false)]), expected);
    }

    #[test]
    fn two_requests_with_one_operation_are_a_violation() {
        let expected = ["duplicated: requests have the operation of another one: 1"];
        assert_eq!(violations(&[entry(1, 200), entry(1, 200)], &[(1, true)]), expected);
    }
}
