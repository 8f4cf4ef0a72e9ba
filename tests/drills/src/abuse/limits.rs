//! Limits of the response times of background clients and of the growth of a process.

use std::time::Duration;

use guildhall_testkit::resource_usage::ResourceUsage;

use super::{background_clients::BackgroundResult, site::AbuseSite};

/// The limit of the 99th percentile on a fast machine.
const P99_MIN_LIMIT: Duration = Duration::from_millis(50);

/// On a slow machine: the limit in multiples of the 99th percentile without other work.
const P99_FACTOR: u32 = 10;

/// The allowed growth of later rounds over the first two. It covers the variation of the allocator.
const ALLOWED_GROWTH: ResourceUsage =
    ResourceUsage { memory: 24 * 1024, heap: 24 * 1024, files: 16, threads: 16 };

pub(super) struct Limits {
    /// `None`: response times are not judged.
    background_p99: Option<Duration>,
}

impl Limits {
    /// Limits in proportion to the response times without other work. A quick drill does not judge response times.
    pub(super) fn new(undisturbed: &BackgroundResult, is_quick: bool) -> Self {
        let proportional = undisturbed.times.percentile(99).unwrap_or_default() * P99_FACTOR;
        Self { background_p99: (!is_quick).then(|| proportional.max(P99_MIN_LIMIT)) }
    }

    /// Checks that the background clients had no failures, and were served in time.
    pub(super) fn check_background(&self, site: &AbuseSite, result: &BackgroundResult) {
        site.check(result.failures.is_empty(), || {
            format!("requests of background clients failed: {:?}", result.failures)
        });
        if let Some(limit) = self.background_p99 {
            let p99 = result.times.percentile(99);
            site.check(p99.is_some_and(|p99| p99 < limit), || {
                format!("background clients: p99 {p99:.1?}, limit {limit:.1?}")
            });
        }
    }
}

pub(super) fn check_growth(site: &AbuseSite, process: &str, samples: &[ResourceUsage]) {
    let list = || samples.iter().map(ResourceUsage::to_string).collect::<Vec<_>>().join("; ");
    site.check(!has_grown(samples), || format!("{process} has grown: {}", list()));
}

/// Whether each later sample exceeds the first two. A single one is no measure: the allocator keeps large blocks for a
/// while (the check of a password takes 19 MiB), so the usage varies between equal rounds.
fn has_grown(samples: &[ResourceUsage]) -> bool {
    let Some((&[first, second], later @ [_, ..])) = samples.split_first_chunk() else { return false };
    let max = first.max(second);
    later.iter().all(|sample| sample.exceeds(&max, ALLOWED_GROWTH))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn memory_has_grown(mebibytes: &[u64]) -> bool {
        let sample = |&mebibytes| ResourceUsage { memory: mebibytes * 1024, files: 30, ..Default::default() };
        has_grown(&mebibytes.iter().map(sample).collect::<Vec<_>>())
    }

    #[test]
    fn growth_differs_from_variation() {
        assert!(memory_has_grown(&[75, 100, 125, 150]));
        assert!(memory_has_grown(&[75, 75, 100]));
        assert!(!memory_has_grown(&[76, 76, 79, 110]));
        assert!(!memory_has_grown(&[99, 78, 80, 77, 76, 112, 92, 89]));
        assert!(!memory_has_grown(&[75, 110]));
        let files = [30, 31, 48, 65].map(|files| ResourceUsage { files, ..Default::default() });
        assert!(has_grown(&files));
    }

    #[test]
    fn response_times_are_limited_in_proportion() {
        let measured = |millis| BackgroundResult {
            times: [Duration::from_millis(millis)].into_iter().collect(),
            failures: vec![],
        };
        assert_eq!(Limits::new(&measured(5), false).background_p99, Some(Duration::from_millis(50)));
        assert_eq!(Limits::new(&measured(80), false).background_p99, Some(Duration::from_millis(800)));
        assert_eq!(Limits::new(&measured(80), true).background_p99, None);
    }
}
