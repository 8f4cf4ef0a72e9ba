//! What the site's own processes take of the machine.

use std::{collections::BTreeMap, time::Duration};

use serde_json::{Value, json};
use tokio::time::sleep;

use super::site::Site;
use crate::{held::Held, sorted::Sorted, stack::Process};

const LOOK_EVERY: Duration = Duration::from_secs(5);

/// By how much a process may hold more in the second half of its life than in the first, in the middle of what was seen.
/// At single moments it has just been started, or all clients come to it since another api is away.
const MORE: Held = Held { memory: 64 * 1024, files: 24 };

/// Looks at a process that tell how it goes on: four minutes.
const LONG_ENOUGH: usize = 48;

/// Of one process, from its start to its end.
struct Life {
    pid: String,
    /// In the order in which they were seen.
    seen: Vec<Held>,
}

/// The lives of each process, by its name.
#[derive(Default)]
pub(super) struct Footprints(BTreeMap<String, Vec<Life>>);

impl Footprints {
    /// Looks from time to time, until it is dropped.
    pub(super) async fn watch(&mut self, site: &Site) {
        loop {
            self.look(site);
            sleep(LOOK_EVERY).await;
        }
    }

    fn look(&mut self, site: &Site) {
        for process in site.stack.services() {
            // One that is dead at the moment has none.
            let Ok(pid) = site.stack.pid(process) else { continue };
            let Ok(held) = Held::by(&pid) else { continue };
            let lives = self.0.entry(process.name()).or_default();
            match lives.last_mut().filter(|life| life.pid == pid) {
                Some(life) => life.seen.push(held),
                None => lives.push(Life { pid, seen: vec![held] }),
            }
        }
    }

    /// The processes of which it cannot be told whether they grow.
    pub(super) fn untold(&self, site: &Site) -> impl Iterator<Item = String> {
        let tells = |lives: &Vec<Life>| lives.iter().any(|life| life.seen.len() >= LONG_ENOUGH);
        site.stack.services().map(Process::name).filter(move |name| !self.0.get(name).is_some_and(tells))
    }

    /// A line for each process that has grown.
    pub(super) fn grown(&self) -> Vec<String> {
        let lives = self.0.iter().flat_map(|(name, lives)| lives.iter().map(move |life| (name, life)));
        lives
            .filter(|(_, life)| life.seen.len() >= LONG_ENOUGH)
            .map(|(name, life)| (name, life.of_halves()))
            .filter(|(_, [early, late])| late.exceeds(early, MORE))
            .map(|(name, [early, late])| format!("grown: {name} held {early}, and later {late}"))
            .collect()
    }

    /// Of the longest life of each.
    pub(super) fn figures(&self) -> Value {
        let of = |held: Held| json!({ "kib": held.memory, "files": held.files });
        let process = |(name, lives): (&String, &Vec<Life>)| {
            let longest = lives.iter().max_by_key(|life| life.seen.len())?;
            let [early, late] = longest.of_halves().map(of);
            let seconds = LOOK_EVERY.as_secs() * longest.seen.len() as u64;
            let figures = json!({
                "lives": lives.len(), "longest_life_seconds": seconds,
                "median_of_first_half": early, "median_of_second_half": late,
            });
            Some((name.clone(), figures))
        };
        self.0.iter().filter_map(process).collect()
    }
}

impl Life {
    /// The medians of what was seen in each half.
    fn of_halves(&self) -> [Held; 2] {
        let (early, late) = self.seen.split_at(self.seen.len() / 2);
        [early, late].map(|half| Held {
            memory: median(half, |held| held.memory),
            files: median(half, |held| held.files),
        })
    }
}

fn median(seen: &[Held], of: impl Fn(&Held) -> u64) -> u64 {
    seen.iter().map(of).collect::<Sorted<_>>().percentile(50).unwrap_or_default()
}
