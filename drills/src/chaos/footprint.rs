//! What the site's own processes take of the machine.

use std::{collections::BTreeMap, time::Duration};

use serde_json::{Value, json};
use tokio::time::sleep;

use super::site::Site;
use crate::{held::Held, stack::Part};

const LOOK_EVERY: Duration = Duration::from_secs(5);

/// By how much a process at rest may be larger in the end than in the beginning.
const MORE_KIB: u64 = 96 * 1024;
const MORE_FILES: u64 = 24;

/// In the order in which they were seen.
#[derive(Default)]
pub(super) struct Footprints(BTreeMap<String, Vec<Held>>);

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
            let held = site.stack.pid(process).and_then(|pid| Held::by(&pid));
            self.0.entry(process.name()).or_default().extend(held);
        }
    }

    /// A line for each process that has grown.
    pub(super) fn grown(&self) -> Vec<String> {
        let ends = self.0.iter().filter_map(|(name, seen)| Some((name, seen.first()?, seen.last()?)));
        ends.filter(|(_, first, last)| {
            last.memory > first.memory + MORE_KIB || last.files > first.files + MORE_FILES
        })
        .map(|(name, first, last)| format!("grown: {name} was {first} and is {last}"))
        .collect()
    }

    pub(super) fn figures(&self) -> Value {
        let figures = |of: fn(&Held) -> u64, seen: &[Held]| json!({ "first": seen.first().map(of), "most": seen.iter().map(of).max(), "last": seen.last().map(of) });
        let process = |(name, seen): (&String, &Vec<Held>)| {
            (
                name.clone(),
                json!({ "kib": figures(|it| it.memory, seen), "files": figures(|it| it.files, seen) }),
            )
        };
        self.0.iter().map(process).collect()
    }
}
