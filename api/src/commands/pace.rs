//! The pace of commands whose clients do not wait for outcomes (`Prefer: respond-async`).
//!
//! To accept a command costs less than to apply it. Without a pace, many such clients would use the processors that the workers need,
//! and the queues would become longer and longer. So the api measures how long one command of each queue needs until its outcome. The
//! longer that is, the later it publishes the next ones. It publishes those of the same moment together, which costs less.

use std::{collections::HashMap, sync::Arc, time::Duration};

use guildhall_common::platform::bus::Waiter;
use parking_lot::Mutex;
use tokio::time::{Instant, sleep, timeout};

/// Commands are published at intervals of at most this part of the measured time.
const PART: u128 = 8;

/// The longest interval in milliseconds, a power of two.
const LONGEST_INTERVAL: u64 = 256;

/// A measurement ends after this time. It also expires after this time: the queue may be empty by then.
const EXPIRES_AFTER: Duration = Duration::from_secs(2);

/// The pace of each queue.
#[derive(Clone)]
pub(crate) struct Pace {
    started: Instant,
    queues: Arc<Mutex<HashMap<String, Measured>>>,
}

#[derive(Clone, Copy, Default)]
struct Measured {
    /// Since when a command is measured.
    running: Option<Instant>,
    /// The end and the duration of the last measurement.
    last: Option<(Instant, Duration)>,
}

/// The measurement of one command. It ends when this is dropped, without a result if the command was not published.
pub(crate) struct Measurement {
    pace: Pace,
    queue: String,
    started: Instant,
}

impl Default for Pace {
    fn default() -> Self {
        Self { started: Instant::now(), queues: Arc::default() }
    }
}

impl Pace {
    /// Waits for as long as the next command for this queue has to. It is measured, unless one of the same queue is.
    pub(crate) async fn enter(&self, queue: &str) -> Option<Measurement> {
        sleep(self.delay(queue)).await;
        self.measure(queue)
    }

    /// The time until the next command for this queue may be published.
    fn delay(&self, queue: &str) -> Duration {
        let measured = self.queues.lock().get(queue).copied().unwrap_or_default();
        let interval = interval(measured.duration());
        let past = self.started.elapsed().as_millis() as u64;
        Duration::from_millis(past.next_multiple_of(interval) - past)
    }

    fn measure(&self, queue: &str) -> Option<Measurement> {
        let started = Instant::now();
        let mut queues = self.queues.lock();
        let measured = queues.entry(queue.to_owned()).or_default();
        if measured.running.is_some() {
            return None;
        }
        measured.running = Some(started);
        Some(Measurement { pace: self.clone(), queue: queue.to_owned(), started })
    }
}

impl Measured {
    fn duration(&self) -> Duration {
        let running = self.running.map(|since| since.elapsed());
        let last = self.last.filter(|(end, _)| end.elapsed() < EXPIRES_AFTER).map(|(_, duration)| duration);
        running.max(last).unwrap_or_default()
    }
}

impl Measurement {
    /// Measures until the outcome of the command.
    pub(crate) async fn follow(self, mut waiter: Waiter) {
        // Without an outcome in this time, the queue is slow enough to know.
        let _ = timeout(EXPIRES_AFTER, waiter.completed()).await;
        self.complete();
    }

    fn complete(self) {
        let last = Some((Instant::now(), self.started.elapsed()));
        self.pace.queues.lock().entry(self.queue.clone()).or_default().last = last;
    }
}

impl Drop for Measurement {
    fn drop(&mut self) {
        self.pace.queues.lock().entry(self.queue.clone()).or_default().running = None;
    }
}

/// The interval in milliseconds. It is a power of two, so that commands wait for the same moment, although the measured time changes.
fn interval(measured: Duration) -> u64 {
    let longest = (measured.as_millis() / PART) as u64;
    longest.checked_ilog2().map_or(1, |exponent| 1 << exponent).min(LONGEST_INTERVAL)
}

#[cfg(test)]
mod tests {
    use tokio::time::advance;

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn commands_wait_longer_the_longer_one_needs_until_its_outcome() {
        let pace = Pace::default();
        assert_eq!(pace.delay("a"), Duration::ZERO);
        let measurement = pace.enter("a").await.unwrap();
        assert!(pace.enter("a").await.is_none());
        advance(Duration::from_millis(321)).await;
        // An eighth is 40 ms, so commands are published at 320 ms, 352 ms and so on.
        assert_eq!(pace.delay("a"), Duration::from_millis(31));
        assert_eq!(pace.delay("b"), Duration::ZERO);
        measurement.complete();
        assert_eq!(pace.delay("a"), Duration::from_millis(31));
        drop(pace.measure("a"));
        assert_eq!(pace.delay("a"), Duration::from_millis(31));
        advance(EXPIRES_AFTER).await;
        assert_eq!(pace.delay("a"), Duration::ZERO);
        drop(pace.measure("a"));
        assert_eq!(pace.delay("a"), Duration::ZERO);
        assert_eq!(interval(Duration::from_secs(60)), LONGEST_INTERVAL);
    }
}
