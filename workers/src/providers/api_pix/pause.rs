//! The pause that the bank requires with `Retry-After`. All requests keep it: one that is sent earlier may extend the pause.

use std::time::{Duration, Instant};

use parking_lot::Mutex;

/// The longest pause. A bank that requires more gets one attempt per minute, so that a wrong header stops no payments.
const LONGEST_PAUSE: Duration = Duration::from_secs(60);

#[derive(Default)]
pub(super) struct Pause {
    not_before: Mutex<Option<Instant>>,
}

impl Pause {
    /// Starts a pause, or extends the current one.
    pub(super) fn require(&self, duration: Duration) {
        let until = Instant::now() + duration.min(LONGEST_PAUSE);
        let mut not_before = self.not_before.lock();
        *not_before = (*not_before).max(Some(until));
    }

    /// The rest of the pause.
    pub(super) fn remaining(&self) -> Duration {
        let not_before = *self.not_before.lock();
        not_before.map(|until| until.saturating_duration_since(Instant::now())).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pause_is_extended_and_never_shortened() {
        let pause = Pause::default();
        assert!(pause.remaining().is_zero());
        pause.require(Duration::from_secs(1_000_000));
        assert!((Duration::from_secs(1)..=LONGEST_PAUSE).contains(&pause.remaining()));
        pause.require(Duration::ZERO);
        assert!(pause.remaining() > Duration::from_secs(1));
    }
}
