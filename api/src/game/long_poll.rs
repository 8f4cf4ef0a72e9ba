//! Long polling: a request waits until there is something to return.

use std::time::Duration;

use guildhall_common::{contract::game::LeaseWait, platform::bus::EventListener};
use tokio::time::{Instant, sleep, timeout_at};
use tokio_util::sync::CancellationToken;

use crate::state::State;

/// The interval between checks. No event announces that a lease or a suspension expires, and events may be lost.
const POLL_INTERVAL: Duration = Duration::from_secs(1);

/// The wait of a request that names none.
pub(super) fn no_wait() -> LeaseWait {
    LeaseWait::try_from(0).expect("0 is a valid wait")
}

/// The wait of one request.
pub(super) struct LongPoll {
    ends_at: Instant,
    events: EventListener,
    stop: CancellationToken,
}

impl LongPoll {
    pub(super) fn start(state: &State, wait: LeaseWait) -> Self {
        Self {
            ends_at: Instant::now() + Duration::from_secs(wait.get().unsigned_abs()),
            events: state.events.listen(),
            stop: state.stop.clone(),
        }
    }

    /// Waits until the next check: for an interval, or for an event with this topic. False: the request ends.
    pub(super) async fn wait_for_check(&mut self, topic: &str) -> bool {
        let next_check = async {
            tokio::select! {
                () = self.events.wait_for(|event| event.topic == topic) => {}
                () = sleep(POLL_INTERVAL) => {}
            }
        };
        let next_check = self.stop.run_until_cancelled(timeout_at(self.ends_at, next_check));
        matches!(next_check.await, Some(Ok(())))
    }
}
