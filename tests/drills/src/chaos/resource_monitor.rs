//! The memory, open files and threads of the apis and workers during the drill.

use std::{collections::BTreeMap, time::Duration};

use guildhall_testkit::{percentiles::Percentiles, resource_usage::ResourceUsage};
use serde_json::{Value, json};
use tokio::time::sleep;

use super::site::ChaosSite;
use crate::process::Process;

const SAMPLE_INTERVAL: Duration = Duration::from_secs(5);

/// The allowed growth of the median from the first to the second half of a process's run. Single samples are no measure:
/// a process may have just started, or serve the clients of another api too.
const ALLOWED_GROWTH: ResourceUsage =
    ResourceUsage { memory: 64 * 1024, heap: 64 * 1024, files: 24, threads: 24 };

/// The number of samples that show growth: four minutes.
const MIN_SAMPLES: usize = 48;

/// One process from its start to its end.
struct ProcessRun {
    pid: String,
    /// In the order of time.
    samples: Vec<ResourceUsage>,
}

/// All runs of each process, by its name.
#[derive(Default)]
pub(super) struct ResourceMonitor(BTreeMap<String, Vec<ProcessRun>>);

impl ResourceMonitor {
    /// Takes samples until it is dropped.
    pub(super) async fn run(&mut self, site: &ChaosSite) {
        loop {
            self.take_samples(site);
            sleep(SAMPLE_INTERVAL).await;
        }
    }

    fn take_samples(&mut self, site: &ChaosSite) {
        for process in site.stack.services() {
            // A killed process has no usage.
            let Ok(pid) = site.stack.pid(process) else { continue };
            let Ok(usage) = ResourceUsage::of_process(&pid) else { continue };
            let runs = self.0.entry(process.name()).or_default();
            match runs.last_mut().filter(|run| run.pid == pid) {
                Some(run) => run.samples.push(usage),
                None => runs.push(ProcessRun { pid, samples: vec![usage] }),
            }
        }
    }

    /// The processes that never ran for long enough to show growth.
    pub(super) fn unjudged(&self, site: &ChaosSite) -> impl Iterator<Item = String> {
        let is_judged = |runs: &Vec<ProcessRun>| runs.iter().any(|run| run.samples.len() >= MIN_SAMPLES);
        let names = site.stack.services().map(Process::name);
        names.filter(move |name| !self.0.get(name).is_some_and(is_judged))
    }

    /// A violation for each process that has grown.
    pub(super) fn violations(&self) -> Vec<String> {
        let runs = self.0.iter().flat_map(|(name, runs)| runs.iter().map(move |run| (name, run)));
        runs.filter(|(_, run)| run.samples.len() >= MIN_SAMPLES)
            .map(|(name, run)| (name, run.medians()))
            .filter(|(_, [first, second])| second.exceeds(first, ALLOWED_GROWTH))
            .map(|(name, [first, second])| format!("grown: {name} held {first}, and later {second}"))
            .collect()
    }

    /// The usage in the longest run of each process.
    pub(super) fn figures(&self) -> Value {
        let usage = |usage: ResourceUsage| {
            let ResourceUsage { memory, heap, files, threads } = usage;
            json!({ "kib": memory, "heap_kib": heap, "files": files, "threads": threads })
        };
        let process = |(name, runs): (&String, &Vec<ProcessRun>)| {
            let longest = runs.iter().max_by_key(|run| run.samples.len())?;
            let [first, second] = longest.medians().map(usage);
            let seconds = SAMPLE_INTERVAL.as_secs() * longest.samples.len() as u64;
            let figures = json!({
                "runs": runs.len(), "longest_run_seconds": seconds,
                "median_of_first_half": first, "median_of_second_half": second,
            });
            Some((name.clone(), figures))
        };
        self.0.iter().filter_map(process).collect()
    }
}

impl ProcessRun {
    /// The median of each half.
    fn medians(&self) -> [ResourceUsage; 2] {
        let (first, second) = self.samples.split_at(self.samples.len() / 2);
        [first, second].map(|half| ResourceUsage {
            memory: median(half, |usage| usage.memory),
            heap: median(half, |usage| usage.heap),
            files: median(half, |usage| usage.files),
            threads: median(half, |usage| usage.threads),
        })
    }
}

fn median(samples: &[ResourceUsage], field: impl Fn(&ResourceUsage) -> u64) -> u64 {
    samples.iter().map(field).collect::<Percentiles<_>>().percentile(50).unwrap_or_default()
}
