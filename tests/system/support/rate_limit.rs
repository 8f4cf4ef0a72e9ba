//! Checks of rate limits that hold at any speed: as time passes, a limiter admits further requests.

use std::time::{Duration, Instant};

use super::client::Response;

/// A rate limit whose requests are used up, or soon will be.
pub(crate) struct RateLimit {
    /// How long the limiter takes to admit one more request.
    period: Duration,
    started: Instant,
    admitted: u32,
}

impl RateLimit {
    /// Begins to measure; call it before the first request that counts.
    pub(crate) fn per_minute(requests: u32) -> Self {
        Self { period: Duration::from_secs(60) / requests, started: Instant::now(), admitted: 0 }
    }

    /// Asserts that the limiter refuses a request, apart from the requests that it may admit for the time that passed.
    pub(crate) async fn assert_refuses(&mut self, request: impl AsyncFn() -> Response) {
        loop {
            let response = request().await;
            if response.status == 429 {
                let seconds = response.header("retry-after").parse::<u64>().unwrap();
                assert!((1..=60).contains(&seconds), "{seconds}");
                response.problem(429, "too_many_requests");
                return;
            }
            self.admitted += 1;
            let allowed = self.started.elapsed().as_nanos() / self.period.as_nanos();
            assert!(u128::from(self.admitted) <= allowed, "not refused: {response:?}");
        }
    }
}
