//! The state of a connection, and the time that it has left.

use std::time::Duration;

use parking_lot::Mutex;
use tokio::{
    sync::Notify,
    time::{Instant, sleep_until},
};

/// What a connection does at the moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stage {
    /// It waits for its first request, or it receives a part of a later one.
    Receiving,
    /// It waits for bytes of a request body.
    ReceivingBody,
    /// It handles a request, or produces the response.
    Working,
    /// Its response is complete, but the client may still have to read the end. It has sent nothing since.
    Idle,
    /// It has lost its place to a newer connection. It closes, unless a request arrives at this moment.
    Closing,
    /// A request arrived while it was closing, and there was no place. It closes after the refusal.
    Refused,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct ConnectionState {
    pub(super) stage: Stage,
    /// The client does not read the response.
    pub(super) is_stuck: bool,
}

impl ConnectionState {
    /// How long a connection may stay in this state.
    pub(super) fn time_limit(self) -> Duration {
        let seconds = match self {
            Self { stage: Stage::Closing, .. } => 0,
            Self { is_stuck: true, .. } => 30,
            Self { stage: Stage::Receiving | Stage::ReceivingBody, .. } => 15,
            // A proxy must close its idle connections first. Otherwise it sends requests into closed ones.
            Self { stage: Stage::Idle, .. } => 75,
            // Responses and event streams have their own limits. All of them are shorter.
            Self { stage: Stage::Working | Stage::Refused, .. } => 20 * 60,
        };
        Duration::from_secs(seconds)
    }
}

/// A state changes several times per request, so a change is cheap: the timer continues, and looks at the state when it ends.
/// Only an earlier end wakes it.
pub(super) struct StageTimer {
    state: Mutex<TimedState>,
    ends_earlier: Notify,
}

struct TimedState {
    state: ConnectionState,
    since: Instant,
    /// When the timer wakes.
    wakes_at: Instant,
}

impl TimedState {
    fn ends_at(&self) -> Instant {
        self.since + self.state.time_limit()
    }
}

impl StageTimer {
    pub(super) fn new(stage: Stage) -> Self {
        let now = Instant::now();
        let state = ConnectionState { stage, is_stuck: false };
        Self {
            state: Mutex::new(TimedState { state, since: now, wakes_at: now + state.time_limit() }),
            ends_earlier: Notify::new(),
        }
    }

    pub(super) fn get(&self) -> ConnectionState {
        self.state.lock().state
    }

    /// Changes the state. Its time begins now.
    pub(super) fn change(&self, change: impl FnOnce(&mut ConnectionState)) {
        self.change_if(|state| {
            change(state);
            true
        });
    }

    /// Changes the state if the function returns true.
    pub(super) fn change_if(&self, change: impl FnOnce(&mut ConnectionState) -> bool) -> bool {
        let mut timed = self.state.lock();
        let is_changed = change(&mut timed.state);
        if is_changed {
            timed.since = Instant::now();
            if timed.ends_at() < timed.wakes_at {
                timed.wakes_at = timed.ends_at();
                self.ends_earlier.notify_one();
            }
        }
        is_changed
    }

    /// Returns when the connection has been in one state for too long.
    pub(super) async fn timed_out(&self) {
        loop {
            let wakes_at = {
                let mut timed = self.state.lock();
                timed.wakes_at = timed.ends_at();
                timed.wakes_at
            };
            tokio::select! {
                () = self.ends_earlier.notified() => {}
                () = sleep_until(wakes_at) => {
                    if self.state.lock().ends_at() <= Instant::now() {
                        return;
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use tokio::time::timeout;

    use super::*;

    async fn times_out_within(timer: &StageTimer, seconds: u64) -> bool {
        timeout(Duration::from_secs(seconds), timer.timed_out()).await.is_ok()
    }

    #[tokio::test(start_paused = true)]
    async fn each_change_begins_a_new_time() {
        let timer = StageTimer::new(Stage::Receiving);
        assert!(!times_out_within(&timer, 14).await);
        timer.change(|state| state.stage = Stage::Idle);
        assert!(!times_out_within(&timer, 74).await);
        timer.change(|state| state.stage = Stage::Receiving);
        assert!(!times_out_within(&timer, 14).await);
        assert!(times_out_within(&timer, 2).await);
    }

    #[tokio::test(start_paused = true)]
    async fn shorter_limit_applies_while_the_timer_runs() {
        let timer = StageTimer::new(Stage::Working);
        let (timed_out, ()) = tokio::join!(times_out_within(&timer, 80), async {
            tokio::time::sleep(Duration::from_secs(1)).await;
            timer.change(|state| state.stage = Stage::Idle);
        });
        assert!(timed_out);
        timer.change(|state| state.stage = Stage::Closing);
        assert!(times_out_within(&timer, 1).await);
    }
}
