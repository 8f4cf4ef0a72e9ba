//! What the site's own processes take of the machine.

use std::{collections::BTreeMap, time::Duration};

use serde_json::{Value, json};
use tokio::time::sleep;

use super::site::Site;
use crate::held::Held;

const LOOK_EVERY: Duration = Duration::from_secs(5);

/// By how much the largest footprint of the second half may be larger than that of the first. At single moments, a
/// process has just been started, or has everything to do.
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
        for process in site.stack.services() {
            // One that is dead at the moment has none.
            self.0.entry(process.name()).or_default().extend(site.stack.held(process));
        }
    }

    /// A line for each process that has grown.
    pub(super) fn grown(&self) -> Vec<String> {
        let halves = self.0.iter().map(|(name, seen)| (name, most_of_halves(seen)));
        halves
            .filter(|(_, [early, late])| {
                late.memory > early.memory + MORE_KIB || late.files > early.files + MORE_FILES
            })
            .map(|(name, [early, late])| format!("grown: {name} was up to {early} and is up to {late}"))
            .collect()
    }

    pub(super) fn figures(&self) -> Value {
        let of = |held: Held| json!({ "kib": held.memory, "files": held.files });
        let process = |(name, seen): (&String, &Vec<Held>)| {
            let [early, late] = most_of_halves(seen).map(of);
            (name.clone(), json!({ "most_in_first_half": early, "most_in_second_half": late }))
        };
        self.0.iter().map(process).collect()
    }
}

/// The most memory and the most files that were seen in each half.
fn most_of_halves(seen: &[Held]) -> [Held; 2] {
    let (early, late) = seen.split_at(seen.len() / 2);
    [early, late].map(|half| Held {
        memory: half.iter().map(|held| held.memory).max().unwrap_or_default(),
        files: half.iter().map(|held| held.files).max().unwrap_or_default(),
    })
}
