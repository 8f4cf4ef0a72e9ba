//! What the site's own processes take of the machine.

use std::{collections::BTreeMap, fs, time::Duration};

use serde_json::{Value, json};
use tokio::time::sleep;

use super::site::Site;
use crate::stack::{Part, Process};

const LOOK_EVERY: Duration = Duration::from_secs(5);

/// By how much a process at rest may be larger in the end than in the beginning.
const MORE_KIB: u64 = 96 * 1024;
const MORE_FILES: u64 = 24;

/// A process at one moment.
#[derive(Debug, Clone, Copy)]
struct Footprint {
    /// Resident memory.
    kib: u64,
    /// Open descriptors.
    files: u64,
}

/// In the order in which they were seen.
#[derive(Default)]
pub(super) struct Footprints(BTreeMap<String, Vec<Footprint>>);

impl Footprints {
    /// Looks from time to time, until it is dropped.
    pub(super) async fn watch(&mut self, site: &Site) {
        loop {
            self.look(site);
            sleep(LOOK_EVERY).await;
        }
    }

    pub(super) fn look(&mut self, site: &Site) {
        for process in site.stack.processes(Part::Api).chain(site.stack.processes(Part::Workers)) {
            // One that is dead at the moment has none.
            self.0.entry(process.name()).or_default().extend(of(site, process));
        }
    }

    /// A line for each process that has grown.
    pub(super) fn grown(&self) -> Vec<String> {
        let ends = self.0.iter().filter_map(|(name, seen)| Some((name, seen.first()?, seen.last()?)));
        ends.filter(|(_, first, last)| {
            last.kib > first.kib + MORE_KIB || last.files > first.files + MORE_FILES
        })
        .map(|(name, first, last)| format!("grown: {name} was {first:?} and is {last:?}"))
        .collect()
    }

    pub(super) fn figures(&self) -> Value {
        let figures = |of: fn(&Footprint) -> u64, seen: &[Footprint]| json!({ "first": seen.first().map(of), "most": seen.iter().map(of).max(), "last": seen.last().map(of) });
        let process = |(name, seen): (&String, &Vec<Footprint>)| {
            (
                name.clone(),
                json!({ "kib": figures(|it| it.kib, seen), "files": figures(|it| it.files, seen) }),
            )
        };
        self.0.iter().map(process).collect()
    }
}

fn of(site: &Site, process: Process) -> Option<Footprint> {
    let proc = format!("/proc/{}", site.stack.pid(process).ok()?);
    let status = fs::read_to_string(format!("{proc}/status")).ok()?;
    let kib = status
        .lines()
        .find_map(|line| line.strip_prefix("VmRSS:"))?
        .split_whitespace()
        .next()?
        .parse()
        .ok()?;
    let files = fs::read_dir(format!("{proc}/fd")).ok()?.count() as u64;
    Some(Footprint { kib, files })
}
