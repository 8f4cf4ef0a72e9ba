//! The open connections, and the state of each.

use std::{
    collections::BTreeMap,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
    time::Duration,
};

use tokio::{sync::watch, time::timeout};

/// What a connection does at the moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    /// It waits for its first request, or it receives a part of a later one.
    Receiving,
    /// It handles a request, or sends the response.
    Working,
    /// It had a response, and has sent nothing since.
    Idle,
    /// It closes, unless a request arrives at this moment.
    Closing,
    /// A request arrived while it was closing. It closes after the response.
    LastRequest,
}

#[derive(Debug, Clone, Copy)]
struct ConnectionState {
    stage: Stage,
    /// The client does not read the response.
    is_stuck: bool,
}

impl ConnectionState {
    /// How long a connection may stay in this state.
    fn time_limit(self) -> Duration {
        let seconds = match self {
            Self { stage: Stage::Closing, .. } => 0,
            Self { is_stuck: true, .. } => 30,
            Self { stage: Stage::Receiving, .. } => 15,
            // A proxy must close its idle connections first. Otherwise it sends requests into closed ones.
            Self { stage: Stage::Idle, .. } => 75,
            // Bodies, responses and event streams have their own limits. All of them are shorter.
            Self { stage: Stage::Working | Stage::LastRequest, .. } => 20 * 60,
        };
        Duration::from_secs(seconds)
    }
}

/// The connections of this process.
pub(super) struct Connections {
    limit: usize,
    slots: Mutex<Slots>,
}

#[derive(Default)]
struct Slots {
    used: usize,
    last_turn: u64,
    /// The connections without a request. The first one has been idle for the longest time.
    idle: BTreeMap<u64, watch::Sender<ConnectionState>>,
}

impl Slots {
    fn add_idle(&mut self, state: watch::Sender<ConnectionState>) -> u64 {
        self.last_turn += 1;
        self.idle.insert(self.last_turn, state);
        self.last_turn
    }
}

impl Connections {
    pub(super) fn new(limit: usize) -> Self {
        Self { limit, slots: Mutex::default() }
    }

    /// Registers a new connection. At the limit, it closes an idle one. If none is idle, the new connection is
    /// registered but not admitted.
    pub(super) fn register(self: &Arc<Self>) -> Arc<Connection> {
        let is_admitted = self.lock().used < self.limit || self.close_longest_idle();
        let state = watch::Sender::new(ConnectionState { stage: Stage::Receiving, is_stuck: false });
        let mut slots = self.lock();
        slots.used += 1;
        let turn = slots.add_idle(state.clone()).into();
        Arc::new(Connection { connections: self.clone(), state, turn, is_admitted })
    }

    /// Closes the connection that has been idle for the longest time. Returns false if none is idle.
    pub(super) fn close_longest_idle(&self) -> bool {
        // The lock is held until the stage is set: otherwise the connection could start a request in between.
        let mut slots = self.lock();
        let longest = slots.idle.pop_first();
        longest.map(|(_, state)| state.send_modify(|state| state.stage = Stage::Closing)).is_some()
    }

    fn lock(&self) -> MutexGuard<'_, Slots> {
        self.slots.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// One connection.
pub(super) struct Connection {
    connections: Arc<Connections>,
    state: watch::Sender<ConnectionState>,
    /// Its key among the idle connections, if it is one of them.
    turn: AtomicU64,
    is_admitted: bool,
}

impl Connection {
    /// Whether the connection is within the limit of connections.
    pub(super) fn is_admitted(&self) -> bool {
        self.is_admitted
    }

    /// Records that the client has sent bytes.
    pub(super) fn on_received(&self) {
        self.state.send_if_modified(|state| {
            let is_next_request = state.stage == Stage::Idle;
            if is_next_request {
                state.stage = Stage::Receiving;
            }
            is_next_request
        });
    }

    /// Stores whether the client reads the response.
    pub(super) fn set_stuck(&self, is_stuck: bool) {
        self.state.send_modify(|state| state.is_stuck = is_stuck);
    }

    /// Marks the start of a request, which has arrived completely. The guard lives until the response is sent.
    pub(super) fn start_request(self: &Arc<Self>) -> RequestGuard {
        let mut slots = self.connections.lock();
        slots.idle.remove(&self.turn.load(Relaxed));
        self.state.send_modify(|state| {
            state.stage = if state.stage == Stage::Closing { Stage::LastRequest } else { Stage::Working };
        });
        RequestGuard(self.clone())
    }

    /// Whether the connection closes after the current response.
    pub(super) fn is_last_request(&self) -> bool {
        self.state.borrow().stage == Stage::LastRequest
    }

    /// Returns when the connection has been in one state for too long.
    pub(super) async fn timed_out(&self) {
        let mut state = self.state.subscribe();
        loop {
            let limit = state.borrow_and_update().time_limit();
            if timeout(limit, state.changed()).await.is_err() {
                return;
            }
        }
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        let mut slots = self.connections.lock();
        slots.used -= 1;
        slots.idle.remove(&self.turn.load(Relaxed));
    }
}

/// A request in progress. When it is dropped, the connection is idle again, unless it closes.
pub(super) struct RequestGuard(Arc<Connection>);

impl Drop for RequestGuard {
    fn drop(&mut self) {
        let Self(connection) = self;
        let mut slots = connection.connections.lock();
        if !connection.is_last_request() {
            connection.state.send_modify(|state| state.stage = Stage::Idle);
            connection.turn.store(slots.add_idle(connection.state.clone()), Relaxed);
        }
    }
}
