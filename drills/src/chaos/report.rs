//! What a drill has found, and how fast the site came back.

use std::{collections::BTreeMap, path::Path, time::Duration};

use anyhow::ensure;
use serde_json::{Value, json};

use super::fault::Fault;
use crate::{
    journal::{Journal, Tried},
    stack::{Part, Stack},
};

/// An attempt that took longer hung: the api answers within its own limits.
const HANGS: Duration = Duration::from_secs(20);

/// A fault that has struck.
pub(super) struct Struck {
    pub fault: Fault,
    /// Nothing else struck at the same time.
    pub alone: bool,
    pub over: Duration,
    /// When the next one began.
    pub until: Duration,
}

pub(super) struct Report<'a> {
    seed: u64,
    struck: &'a [Struck],
    violations: Vec<String>,
    footprints: Value,
}

impl<'a> Report<'a> {
    pub(super) fn new(seed: u64, struck: &'a [Struck]) -> Self {
        Self { seed, struck, violations: vec![], footprints: Value::Null }
    }

    /// Tells it at once, with all that the journal says of the operation or delivery that it names.
    pub(super) fn violated(&mut self, journal: &Journal, violation: String) {
        println!("\n{violation}");
        journal.note(&json!({ "violation": violation }));
        let id = violation.split(|c: char| !c.is_ascii_hexdigit() && c != '-').find(|word| word.len() == 36);
        for line in id.map(|id| journal.story_of(id).unwrap_or_default()).into_iter().flatten().take(20) {
            println!("    {line}");
        }
        self.violations.push(violation);
    }

    pub(super) fn footprints(&mut self, before: BTreeMap<&str, Footprint>, after: BTreeMap<&str, Footprint>) {
        let of = |footprints: BTreeMap<&str, Footprint>| -> Value {
            footprints
                .into_iter()
                .map(|(part, it)| (part.to_owned(), json!({ "kib": it.kib, "files": it.files })))
                .collect()
        };
        self.footprints = json!({ "before": of(before), "after": of(after) });
    }

    /// Writes the figures, and fails when there is anything to be ashamed of.
    pub(super) fn finish(self, journal: &Journal, file: Option<&Path>) -> anyhow::Result<()> {
        let tried = journal.tried();
        let hung = tried.iter().filter(|tried| tried.took > HANGS).count();
        let kind = |kind: &str| self.violations.iter().filter(|it| it.starts_with(kind)).count();
        let figures = json!({
            "seed": self.seed,
            "seconds": journal.now().as_secs(),
            "requests": tried.len(),
            "answered": journal.answered(),
            "operations": journal.told().len(),
            "faults": self.struck.len(),
            "violations": self.violations.len(),
            "lost": kind("lost"), "duplicated": kind("duplicated"), "stale": kind("stale"), "hung": hung,
            "recovery_ms": recovery(self.struck, &tried),
            "footprints": self.footprints,
        });
        println!("{figures:#}");
        if let Some(file) = file {
            std::fs::write(file, format!("{figures:#}\n"))?;
        }
        ensure!(self.violations.is_empty(), "{} violations", self.violations.len());
        ensure!(hung == 0, "{hung} requests hung");
        Ok(())
    }
}

/// By fault: from its end to the first success, and to the last failure.
fn recovery(struck: &[Struck], tried: &[Tried]) -> Value {
    let mut times: BTreeMap<String, (Vec<u128>, Vec<u128>)> = BTreeMap::new();
    for struck in struck.iter().filter(|struck| struck.alone) {
        let after = tried.iter().filter(|tried| tried.at > struck.over && tried.at < struck.until);
        // What was sent before has waited for the fault.
        let first = after.clone().filter(|it| it.well).map(|it| it.at).min();
        let last = after.filter(|it| !it.well).map(|it| it.at).max();
        let (successes, failures) = times.entry(struck.fault.name()).or_default();
        successes.push((first.unwrap_or(struck.until) - struck.over).as_millis());
        failures.push(last.map_or(0, |last| (last - struck.over).as_millis()));
    }
    let of = |mut times: Vec<u128>| {
        times.sort_unstable();
        let at = |share: usize| times[(times.len() - 1) * share / 100];
        json!({ "p50": at(50), "p99": at(99), "times": times.len() })
    };
    times
        .into_iter()
        .map(|(fault, (first, last))| (fault, json!({ "first_success": of(first), "error_free": of(last) })))
        .collect()
}

/// What a process takes.
pub(super) struct Footprint {
    kib: u64,
    files: usize,
}

/// Of the processes that are ours.
///
/// # Errors
/// When one does not run.
pub(super) async fn footprint(stack: &Stack) -> anyhow::Result<BTreeMap<&'static str, Footprint>> {
    let mut footprints = BTreeMap::new();
    for part in [Part::Api, Part::Workers] {
        let pid = stack.pid(part).await?;
        let status = tokio::fs::read_to_string(format!("/proc/{pid}/status")).await?;
        let resident = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
        let kib = resident.and_then(|text| text.split_whitespace().next()?.parse().ok()).unwrap_or_default();
        let files = std::fs::read_dir(format!("/proc/{pid}/fd"))?.count();
        footprints.insert(part.name(), Footprint { kib, files });
    }
    Ok(footprints)
}
