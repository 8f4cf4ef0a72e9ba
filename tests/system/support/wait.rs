//! Waiting for a condition. The limit only ends a test that would never end: it says nothing about speed.

use std::time::Duration;

use tokio::time::{Instant, sleep, timeout};

/// More than ten times the longest usual wait. A job that failed again and again waits a minute for its next attempt.
pub(crate) const HANG_LIMIT: Duration = Duration::from_secs(300);

const POLL_INTERVAL: Duration = Duration::from_millis(25);

/// Polls until the condition is true.
pub(crate) async fn wait_until(condition: &str, is_true: impl AsyncFn() -> bool) {
    wait_for(condition, async || is_true().await.then_some(())).await;
}

/// Polls until there is a value, and returns it.
pub(crate) async fn wait_for<T>(condition: &str, mut poll: impl AsyncFnMut() -> Option<T>) -> T {
    let started = Instant::now();
    loop {
        if let Some(value) = poll().await {
            return value;
        }
        assert!(started.elapsed() < HANG_LIMIT, "this did not happen within {HANG_LIMIT:?}: {condition}");
        sleep(POLL_INTERVAL).await;
    }
}

/// Waits for a future that ends unless something hangs.
pub(crate) async fn with_hang_limit<T>(what: &str, future: impl Future<Output = T>) -> T {
    let finished = timeout(HANG_LIMIT, future).await;
    finished.unwrap_or_else(|_| panic!("this did not end within {HANG_LIMIT:?}: {what}"))
}
