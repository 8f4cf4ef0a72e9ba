//! Counters of failures. Each falls with time, so that further failures are allowed again.

use std::{collections::HashMap, hash::Hash, time::Duration};

use parking_lot::Mutex;
use tokio::time::Instant;

/// The failures that are allowed in a period.
#[derive(Debug, Clone, Copy)]
pub(super) struct FailureLimit {
    pub(super) failures: f64,
    /// In seconds.
    pub(super) period: f64,
}

/// Each failure raises the level by 1. The level falls by the limit in a period.
#[derive(Debug, Clone, Copy)]
struct FailureCounter {
    level: f64,
    at: Instant,
    limit: FailureLimit,
}

impl FailureCounter {
    fn level(&self, now: Instant) -> f64 {
        let drained = self.limit.failures * now.duration_since(self.at).as_secs_f64() / self.limit.period;
        (self.level - drained).max(0.0)
    }

    /// The time until one more failure is within the limit, or None if it is now.
    fn time_to_wait(&self, now: Instant) -> Option<Duration> {
        let FailureLimit { failures, period } = self.limit;
        let excess = self.level(now) + 1.0 - failures;
        (excess > 0.0).then(|| Duration::from_secs_f64(excess / failures * period))
    }
}

/// A counter for each key that has had a failure.
pub(super) struct FailureCounters<K>(Mutex<HashMap<K, FailureCounter>>);

impl<K> Default for FailureCounters<K> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<K: Eq + Hash> FailureCounters<K> {
    /// Counts a failure for each key.
    ///
    /// # Errors
    /// One of them is at its limit: the time to wait. Then nothing is counted.
    pub(super) fn count(&self, keys: Vec<(K, FailureLimit)>) -> Result<(), Duration> {
        let now = Instant::now();
        let mut counters = self.0.lock();
        let waits = keys.iter().filter_map(|(key, _)| counters.get(key)?.time_to_wait(now));
        if let Some(wait) = waits.max() {
            return Err(wait);
        }
        for (key, limit) in keys {
            let counter = counters.entry(key).or_insert(FailureCounter { level: 0.0, at: now, limit });
            *counter = FailureCounter { level: counter.level(now) + 1.0, at: now, limit };
        }
        Ok(())
    }

    /// Takes back a failure of each key.
    pub(super) fn take_back(&self, keys: &[K]) {
        let mut counters = self.0.lock();
        for key in keys {
            if let Some(counter) = counters.get_mut(key) {
                counter.level = (counter.level - 1.0).max(0.0);
            }
        }
    }

    /// Removes the counters without recent failures.
    pub(super) fn remove_inactive(&self) {
        let now = Instant::now();
        self.0.lock().retain(|_, counter| counter.level(now) > 0.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn counters_without_failures_are_removed() {
        let counters = FailureCounters::default();
        let limit = FailureLimit { failures: 1.0, period: 60.0 };
        counters.count(vec![("network", limit), ("login", limit)]).unwrap();
        counters.remove_inactive();
        assert_eq!(counters.0.lock().len(), 2);
        tokio::time::advance(Duration::from_secs(60)).await;
        counters.remove_inactive();
        assert!(counters.0.lock().is_empty());
    }
}
