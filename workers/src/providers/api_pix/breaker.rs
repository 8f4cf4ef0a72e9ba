//! Leaves a server alone that has failed again and again.

use std::{
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

/// Failures without a success in between after which it is left alone.
const FAILURES: u32 = 5;

/// For how long, before one request tries it again: somebody may be waiting for a code to pay.
const PAUSE: Duration = Duration::from_secs(1);

#[derive(Default)]
pub(super) struct Breaker(Mutex<State>);

#[derive(Default)]
struct State {
    failures: u32,
    /// Nobody asks before this.
    closed_until: Option<Instant>,
}

impl Breaker {
    /// Whether to ask at all. After the pause it says yes once, and again after the next.
    pub(super) fn lets_through(&self) -> bool {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let now = Instant::now();
        if state.closed_until.is_some_and(|until| now < until) {
            return false;
        }
        if state.failures >= FAILURES {
            state.closed_until = Some(now + PAUSE);
        }
        true
    }

    pub(super) fn succeeded(&self) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = State::default();
    }

    pub(super) fn failed(&self) {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        state.failures += 1;
        if state.failures >= FAILURES {
            state.closed_until = Some(Instant::now() + PAUSE);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_breaks_after_failures_in_a_row_and_tries_again_later() {
        let breaker = Breaker::default();
        for _ in 0..FAILURES - 1 {
            breaker.failed();
        }
        breaker.succeeded();
        for _ in 0..FAILURES {
            assert!(breaker.lets_through());
            breaker.failed();
        }
        assert!(!breaker.lets_through());
        breaker.0.lock().unwrap().closed_until = Some(Instant::now());
        assert!(breaker.lets_through(), "one may try");
        assert!(!breaker.lets_through(), "the others wait for what comes of it");
        breaker.succeeded();
        assert!(breaker.lets_through() && breaker.lets_through());
    }
}
