//! The open connections, and the state of each.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    net::IpAddr,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
    time::Duration,
};

use tokio::{sync::watch, time::timeout};

use crate::http::client_address::{ClientAddress, TrustedProxies};

/// What a connection does at the moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    /// It waits for its first request, or it receives a part of a later one.
    Receiving,
    /// It waits for bytes of a request body.
    ReceivingBody,
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
            Self { stage: Stage::Receiving | Stage::ReceivingBody, .. } => 15,
            // A proxy must close its idle connections first. Otherwise it sends requests into closed ones.
            Self { stage: Stage::Idle, .. } => 75,
            // Responses and event streams have their own limits. All of them are shorter.
            Self { stage: Stage::Working | Stage::LastRequest, .. } => 20 * 60,
        };
        Duration::from_secs(seconds)
    }
}

/// How many connections the server has at the same time.
#[derive(Debug, Clone)]
pub struct ConnectionLimits {
    pub total: usize,
    /// The connections of one client address.
    pub per_address: usize,
    /// The peers without a limit of their own: each of them serves many clients.
    pub trusted_proxies: TrustedProxies,
}

/// The connections of this process.
pub(super) struct Connections {
    limits: ConnectionLimits,
    slots: Mutex<Slots>,
}

#[derive(Default)]
struct Slots {
    used: usize,
    by_address: HashMap<IpAddr, AddressSlots>,
    last_turn: u64,
    /// The connections that wait for their client. The first one has waited for the longest time.
    waiting: BTreeMap<u64, WaitingConnection>,
}

/// The connections of one address.
#[derive(Default)]
struct AddressSlots {
    used: usize,
    /// The turns of its waiting connections.
    waiting: BTreeSet<u64>,
}

struct WaitingConnection {
    address: Option<IpAddr>,
    state: watch::Sender<ConnectionState>,
}

impl Slots {
    /// Whether there is room for a connection of this address. If necessary and possible, it closes a waiting one.
    fn make_room(&mut self, limits: &ConnectionLimits, address: Option<IpAddr>) -> bool {
        let of_address = address.and_then(|address| self.by_address.get(&address));
        let replaced = match of_address {
            // An address at its own limit replaces only its own connections.
            Some(own) if own.used >= limits.per_address => own.waiting.first().copied(),
            _ if self.used < limits.total => return true,
            _ => self.waiting.keys().next().copied(),
        };
        replaced.is_some_and(|turn| self.close(turn))
    }

    fn take(&mut self, address: Option<IpAddr>) {
        self.used += 1;
        if let Some(address) = address {
            self.by_address.entry(address).or_default().used += 1;
        }
    }

    fn free(&mut self, address: Option<IpAddr>) {
        self.used -= 1;
        if let Some(address) = address
            && let Some(own) = self.by_address.get_mut(&address)
        {
            own.used -= 1;
            if own.used == 0 {
                self.by_address.remove(&address);
            }
        }
    }

    fn add_waiting(&mut self, connection: WaitingConnection) -> u64 {
        self.last_turn += 1;
        if let Some(address) = connection.address {
            self.by_address.entry(address).or_default().waiting.insert(self.last_turn);
        }
        self.waiting.insert(self.last_turn, connection);
        self.last_turn
    }

    fn remove_waiting(&mut self, turn: u64) -> Option<WaitingConnection> {
        let connection = self.waiting.remove(&turn)?;
        if let Some(address) = connection.address
            && let Some(own) = self.by_address.get_mut(&address)
        {
            own.waiting.remove(&turn);
        }
        Some(connection)
    }

    /// Closes a waiting connection. Returns false if it is not waiting.
    fn close(&mut self, turn: u64) -> bool {
        let connection = self.remove_waiting(turn);
        connection.map(|it| it.state.send_modify(|state| state.stage = Stage::Closing)).is_some()
    }
}

impl Connections {
    pub(super) fn new(limits: ConnectionLimits) -> Self {
        Self { limits, slots: Mutex::default() }
    }

    /// Registers a new connection. At a limit, it closes one that waits for its client. If none does, the new
    /// connection is registered but not admitted.
    pub(super) fn register(self: &Arc<Self>, peer: IpAddr) -> Arc<Connection> {
        let address = (!self.limits.trusted_proxies.contains(peer)).then(|| ClientAddress(peer).network());
        let state = watch::Sender::new(ConnectionState { stage: Stage::Receiving, is_stuck: false });
        // The lock is held until a replaced connection has its stage: otherwise it could start a request in between.
        let mut slots = self.lock();
        let is_admitted = slots.make_room(&self.limits, address);
        slots.take(address);
        let turn = slots.add_waiting(WaitingConnection { address, state: state.clone() }).into();
        Arc::new(Connection { connections: self.clone(), address, state, turn, is_admitted })
    }

    /// Closes the connection that has waited for its client for the longest time. Returns false if none waits.
    pub(super) fn close_longest_waiting(&self) -> bool {
        let mut slots = self.lock();
        let longest = slots.waiting.keys().next().copied();
        longest.is_some_and(|turn| slots.close(turn))
    }

    fn lock(&self) -> MutexGuard<'_, Slots> {
        self.slots.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// One connection.
pub(super) struct Connection {
    connections: Arc<Connections>,
    /// The address that it counts for. None for a trusted proxy.
    address: Option<IpAddr>,
    state: watch::Sender<ConnectionState>,
    /// Its key among the waiting connections, if it is one of them.
    turn: AtomicU64,
    is_admitted: bool,
}

impl Connection {
    /// Whether the connection is within the limits of connections.
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

    /// Marks the start of a request, whose head has arrived. The guard lives until the response is sent.
    pub(super) fn start_request(self: &Arc<Self>) -> RequestGuard {
        self.stop_waiting();
        RequestGuard(self.clone())
    }

    /// Marks that the next bytes of the request body have not arrived.
    pub(super) fn wait_for_body(&self) {
        self.start_waiting(Stage::Working, Stage::ReceivingBody);
    }

    /// Marks that the connection waits for its client no longer.
    pub(super) fn stop_waiting(&self) {
        let mut slots = self.connections.lock();
        slots.remove_waiting(self.turn.load(Relaxed));
        self.state.send_modify(|state| {
            let is_last = matches!(state.stage, Stage::Closing | Stage::LastRequest);
            state.stage = if is_last { Stage::LastRequest } else { Stage::Working };
        });
    }

    /// Changes the stage, and lets a new connection replace this one from now on.
    fn start_waiting(&self, from: Stage, to: Stage) {
        let mut slots = self.connections.lock();
        let is_changed = self.state.send_if_modified(|state| {
            let is_from = state.stage == from;
            if is_from {
                state.stage = to;
            }
            is_from
        });
        if is_changed {
            let connection = WaitingConnection { address: self.address, state: self.state.clone() };
            self.turn.store(slots.add_waiting(connection), Relaxed);
        }
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
        slots.remove_waiting(self.turn.load(Relaxed));
        slots.free(self.address);
    }
}

/// A request in progress. When it is dropped, the connection is idle again, unless it closes.
pub(super) struct RequestGuard(Arc<Connection>);

impl Drop for RequestGuard {
    fn drop(&mut self) {
        self.0.start_waiting(Stage::Working, Stage::Idle);
    }
}
