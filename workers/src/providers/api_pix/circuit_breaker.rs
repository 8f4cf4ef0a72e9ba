//! A circuit breaker: no requests go to a server that failed several times in a row.

use std::time::{Duration, Instant};

use parking_lot::Mutex;

/// The breaker opens after this number of failures without a success in between.
const FAILURES: u32 = 5;

/// How long the breaker stays open before it lets one request through. It is short: a player may be waiting for a QR code.
const OPEN_FOR: Duration = Duration::from_secs(1);

#[derive(Default)]
pub(super) struct CircuitBreaker(Mutex<BreakerState>);

#[derive(Default)]
struct BreakerState {
    failures: u32,
    /// Requests are not allowed before this time.
    open_until: Option<Instant>,
}

impl CircuitBreaker {
    /// Whether a request is allowed. When the breaker has been open long enough, it allows one request, then opens again.
    pub(super) fn allows_request(&self) -> bool {
        let mut state = self.0.lock();
        let now = Instant::now();
        if state.open_until.is_some_and(|until| now < until) {
            return false;
        }
        if state.failures >= FAILURES {
            state.open_until = Some(now + OPEN_FOR);
        }
        true
    }

    pub(super) fn record_success(&self) {
        *self.0.lock() = BreakerState::default();
    }

    pub(super) fn record_failure(&self) {
        let mut state = self.0.lock();
        state.failures += 1;
        if state.failures >= FAILURES {
            state.open_until = Some(Instant::now() + OPEN_FOR);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_opens_after_failures_in_a_row_and_allows_one_request_later() {
        let breaker = CircuitBreaker::default();
        for _ in 0..FAILURES - 1 {
            breaker.record_failure();
        }
        breaker.record_success();
        for _ in 0..FAILURES {
            assert!(breaker.allows_request());
            breaker.record_failure();
        }
        assert!(!breaker.allows_request());
        breaker.0.lock().open_until = Some(Instant::now());
        assert!(breaker.allows_request(), "one request is allowed");
        assert!(!breaker.allows_request(), "the other requests wait for its result");
        breaker.record_success();
        assert!(breaker.allows_request() && breaker.allows_request());
    }
}
