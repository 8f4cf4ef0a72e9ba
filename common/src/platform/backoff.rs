//! The delays between attempts at something that failed.

use std::time::Duration;

use chrono::TimeDelta;
use tokio::time::sleep;

/// Delays that double from 50 ms to 2 s. Jitter keeps many clients from retrying at the same moment.
#[derive(Debug)]
pub struct Backoff(Duration);

impl Default for Backoff {
    fn default() -> Self {
        Self(Duration::from_millis(50))
    }
}

impl Backoff {
    /// Waits for half to the whole of the current delay, and doubles the next one.
    pub async fn wait(&mut self) {
        sleep(self.0.mul_f64(rand::random_range(0.5..1.0))).await;
        self.0 = (self.0 * 2).min(Duration::from_secs(2));
    }
}

/// Delays that double with each attempt. The number of attempts is stored in the database, so they survive a restart.
#[derive(Debug, Clone, Copy)]
pub struct ExponentialDelay {
    /// The delay after the first attempt.
    pub first: TimeDelta,
    pub longest: TimeDelta,
}

/// The delays of jobs, and of notifications that match no payment yet.
pub const JOB_DELAY: ExponentialDelay =
    ExponentialDelay { first: TimeDelta::seconds(1), longest: TimeDelta::seconds(60) };

/// The delays of deliveries that a game server refused.
pub const DELIVERY_DELAY: ExponentialDelay =
    ExponentialDelay { first: TimeDelta::seconds(5), longest: TimeDelta::minutes(10) };

impl ExponentialDelay {
    /// The delay after this attempt. Attempts are counted from 1.
    #[must_use]
    pub fn after(&self, attempt: i32) -> TimeDelta {
        let doublings = attempt.clamp(1, 20) - 1;
        (self.first * (1 << doublings)).min(self.longest)
    }
}

#[cfg(test)]
mod tests {
    use chrono::TimeDelta;

    use super::{DELIVERY_DELAY, JOB_DELAY};

    #[test]
    fn delays_double_up_to_the_longest() {
        let seconds: Vec<i64> = (0..9).map(|attempt| JOB_DELAY.after(attempt).num_seconds()).collect();
        assert_eq!(seconds, [1, 1, 2, 4, 8, 16, 32, 60, 60]);
        assert_eq!(DELIVERY_DELAY.after(i32::MAX), TimeDelta::minutes(10));
    }
}
