//! The delays between attempts at something that failed.

use std::time::Duration;

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
