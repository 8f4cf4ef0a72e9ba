//! Who is connected, and what each of them is at.

use std::{
    collections::BTreeMap,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
    time::Duration,
};

use tokio::{sync::watch, time::timeout};

/// What a connection is at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    /// Its first request is to come, or a later one has begun to.
    Asking,
    /// A request is in hand, or its answer.
    Working,
    /// It was answered and has asked nothing since.
    Silent,
    /// It has to go, unless a request is just coming.
    Over,
    /// A request did come: it is served, and the connection ends with its answer.
    Last,
}

#[derive(Debug, Clone, Copy)]
struct State {
    stage: Stage,
    /// It does not take what it is sent.
    stuck: bool,
}

impl State {
    /// How long a connection may be at this.
    fn limit(self) -> Duration {
        let seconds = match self {
            Self { stage: Stage::Over, .. } => 0,
            Self { stuck: true, .. } => 30,
            Self { stage: Stage::Asking, .. } => 15,
            // Longer than proxies keep theirs, so that these never send into one that is being closed.
            Self { stage: Stage::Silent, .. } => 75,
            // Bodies, answers and event streams have limits of their own, all of them shorter.
            Self { stage: Stage::Working | Stage::Last, .. } => 20 * 60,
        };
        Duration::from_secs(seconds)
    }
}

/// The connections of this process.
pub(super) struct Connections {
    most: usize,
    places: Mutex<Places>,
}

#[derive(Default)]
struct Places {
    taken: usize,
    last_turn: u64,
    /// Connections that have no request in hand, the longest first.
    idle: BTreeMap<u64, watch::Sender<State>>,
}

impl Places {
    fn queue(&mut self, state: watch::Sender<State>) -> u64 {
        self.last_turn += 1;
        self.idle.insert(self.last_turn, state);
        self.last_turn
    }
}

impl Connections {
    pub(super) fn new(most: usize) -> Self {
        Self { most, places: Mutex::default() }
    }

    /// A connection more. Who comes when there is room for no more takes the place of one that asks nothing.
    pub(super) fn enter(self: &Arc<Self>) -> Arc<Connection> {
        let welcome = self.lock().taken < self.most || self.send_one_away();
        let state = watch::Sender::new(State { stage: Stage::Asking, stuck: false });
        let mut places = self.lock();
        places.taken += 1;
        let turn = places.queue(state.clone()).into();
        Arc::new(Connection { crowd: self.clone(), state, turn, welcome })
    }

    /// Ends the connection that has had no request in hand for the longest time; false when all have one.
    pub(super) fn send_one_away(&self) -> bool {
        // With the lock held: it may be about to turn to a request.
        let mut places = self.lock();
        let longest = places.idle.pop_first();
        longest.map(|(_, state)| state.send_modify(|state| state.stage = Stage::Over)).is_some()
    }

    fn lock(&self) -> MutexGuard<'_, Places> {
        self.places.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// One connection.
pub(super) struct Connection {
    crowd: Arc<Connections>,
    state: watch::Sender<State>,
    /// Its place among the idle, if it is one of them.
    turn: AtomicU64,
    welcome: bool,
}

impl Connection {
    /// Whether there was room for it.
    pub(super) fn is_welcome(&self) -> bool {
        self.welcome
    }

    /// It has sent something.
    pub(super) fn speaks(&self) {
        self.state.send_if_modified(|state| {
            let begins = state.stage == Stage::Silent;
            if begins {
                state.stage = Stage::Asking;
            }
            begins
        });
    }

    /// Whether it takes what it is sent.
    pub(super) fn is_stuck(&self, stuck: bool) {
        self.state.send_modify(|state| state.stuck = stuck);
    }

    /// A whole request has come.
    pub(super) fn work(self: &Arc<Self>) -> RequestGuard {
        let mut places = self.crowd.lock();
        places.idle.remove(&self.turn.load(Relaxed));
        self.state.send_modify(|state| {
            state.stage = if state.stage == Stage::Over { Stage::Last } else { Stage::Working };
        });
        RequestGuard(self.clone())
    }

    /// Whether it ends with the answer to the request in hand.
    pub(super) fn is_at_last(&self) -> bool {
        self.state.borrow().stage == Stage::Last
    }

    /// Returns when it has been at one thing for too long.
    pub(super) async fn overdue(&self) {
        let mut state = self.state.subscribe();
        loop {
            let limit = state.borrow_and_update().limit();
            if timeout(limit, state.changed()).await.is_err() {
                return;
            }
        }
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        let mut places = self.crowd.lock();
        places.taken -= 1;
        places.idle.remove(&self.turn.load(Relaxed));
    }
}

/// Of a connection that has a request in hand: it is idle again when this is dropped, unless it has to go.
pub(super) struct RequestGuard(Arc<Connection>);

impl Drop for RequestGuard {
    fn drop(&mut self) {
        let Self(member) = self;
        let mut places = member.crowd.lock();
        if !member.is_at_last() {
            member.state.send_modify(|state| state.stage = Stage::Silent);
            member.turn.store(places.queue(member.state.clone()), Relaxed);
        }
    }
}
