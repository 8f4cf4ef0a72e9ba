//! How long commands wait in the queue of a partition.

use std::{
    sync::atomic::{AtomicI64, AtomicU64, Ordering::Relaxed},
    time::Duration,
};

use chrono::{DateTime, TimeDelta, Utc};

/// The weight of the last batch in the average time per message.
const LAST_BATCH_WEIGHT: f64 = 0.2;

/// The queue of a partition, as its consumer sees it.
#[derive(Debug, Default)]
pub(crate) struct Backlog {
    /// The average time per message, in nanoseconds. A message has one or several commands.
    nanos_per_message: AtomicU64,
    /// The time until a new command would be applied, in milliseconds.
    wait_ms: AtomicU64,
    /// When the oldest command in progress was accepted, in milliseconds since 1970. 0 if there is none.
    oldest_ms: AtomicI64,
}

impl Backlog {
    /// A batch begins, whose oldest command was accepted at this time.
    pub(crate) fn begin_batch(&self, oldest: Option<DateTime<Utc>>) {
        self.oldest_ms.store(oldest.map_or(0, |oldest| oldest.timestamp_millis()), Relaxed);
    }

    /// A batch of this many messages has ended.
    pub(crate) fn end_batch(&self, messages: usize, duration: Duration) {
        let last = duration.as_nanos() as f64 / messages.max(1) as f64;
        let average = self.nanos_per_message.load(Relaxed) as f64;
        let next = if average == 0.0 { last } else { average + (last - average) * LAST_BATCH_WEIGHT };
        self.nanos_per_message.store(next as u64, Relaxed);
        self.oldest_ms.store(0, Relaxed);
    }

    /// This number of messages wait in the queue.
    pub(crate) fn set_waiting(&self, messages: u32) {
        let nanos = u64::from(messages) * self.nanos_per_message.load(Relaxed);
        self.wait_ms.store(Duration::from_nanos(nanos).as_millis() as u64, Relaxed);
    }

    /// The time until a new command would be applied.
    pub(crate) fn wait(&self) -> Duration {
        Duration::from_millis(self.wait_ms.load(Relaxed))
    }

    /// The time since the oldest command in progress was accepted, by the clock of its api.
    pub(crate) fn age(&self) -> Duration {
        match self.oldest_ms.load(Relaxed) {
            0 => Duration::ZERO,
            oldest => {
                TimeDelta::milliseconds(Utc::now().timestamp_millis() - oldest).to_std().unwrap_or_default()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wait_follows_from_the_last_batches() {
        let backlog = Backlog::default();
        backlog.set_waiting(1000);
        assert_eq!(backlog.wait(), Duration::ZERO);
        backlog.end_batch(10, Duration::from_millis(100));
        backlog.set_waiting(1000);
        assert_eq!(backlog.wait(), Duration::from_secs(10));
        for _ in 0..50 {
            backlog.end_batch(10, Duration::from_millis(10));
        }
        backlog.set_waiting(1000);
        assert_eq!(backlog.wait(), Duration::from_secs(1));
        backlog.set_waiting(0);
        assert_eq!(backlog.wait(), Duration::ZERO);
    }

    #[test]
    fn age_is_that_of_the_oldest_command_in_progress() {
        let backlog = Backlog::default();
        assert_eq!(backlog.age(), Duration::ZERO);
        backlog.begin_batch(Some(Utc::now() - TimeDelta::seconds(60)));
        assert!(backlog.age() >= Duration::from_secs(60));
        // The clock of the api is ahead.
        backlog.begin_batch(Some(Utc::now() + TimeDelta::seconds(60)));
        assert_eq!(backlog.age(), Duration::ZERO);
    }
}
