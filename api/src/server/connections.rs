//! The open connections, and the state of each.

use std::{
    net::IpAddr,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
};

use parking_lot::Mutex;

use crate::{
    http::client_address::{ClientAddress, TrustedProxies},
    server::{
        pool::{Pool, WaitingConnection},
        stage_timer::{Stage, StageTimer},
    },
};

/// How many connections the server has at the same time.
#[derive(Debug, Clone)]
pub struct ConnectionLimits {
    pub total: usize,
    /// The connections of one client address.
    pub per_address: usize,
    /// The peers without a limit of their own: each of them serves many clients.
    pub trusted_proxies: TrustedProxies,
}

/// The connections above the limits. Their requests are refused.
const REFUSED: usize = 128;

/// The connections of this process.
pub(super) struct Connections {
    trusted_proxies: TrustedProxies,
    pools: Mutex<Pools>,
}

struct Pools {
    admitted: Pool,
    refused: Pool,
}

impl Pools {
    fn get(&mut self, is_admitted: bool) -> &mut Pool {
        if is_admitted { &mut self.admitted } else { &mut self.refused }
    }
}

impl Connections {
    pub(super) fn new(limits: ConnectionLimits) -> Self {
        let ConnectionLimits { total, per_address, trusted_proxies } = limits;
        let admitted = Pool::new(total, per_address);
        let pools = Mutex::new(Pools { admitted, refused: Pool::new(REFUSED, REFUSED) });
        Self { trusted_proxies, pools }
    }

    /// Registers a new connection. At a limit, it closes one that waits for its client. If none does, the new
    /// connection is registered but not admitted. None if there are too many of those, too.
    pub(super) fn register(self: &Arc<Self>, peer: IpAddr) -> Option<Arc<Connection>> {
        let address = (!self.trusted_proxies.contains(peer)).then(|| ClientAddress(peer).network());
        let state = Arc::new(StageTimer::new(Stage::Receiving));
        let mut pools = self.pools.lock();
        let is_admitted = pools.admitted.take(address);
        if !is_admitted && !pools.refused.take(address) {
            return None;
        }
        let pool = pools.get(is_admitted);
        let turn = pool.add_waiting(WaitingConnection { address, state: state.clone() }).into();
        Some(Arc::new(Connection { connections: self.clone(), address, state, turn, is_admitted }))
    }

    /// Closes the connection that has waited for its client for the longest time. Returns false if none waits.
    pub(super) fn close_longest_waiting(&self) -> bool {
        self.pools.lock().admitted.close_longest_waiting()
    }
}

/// One connection.
pub(super) struct Connection {
    connections: Arc<Connections>,
    /// The address that it counts for. None for a trusted proxy.
    address: Option<IpAddr>,
    state: Arc<StageTimer>,
    /// Its key among the waiting connections, if it is one of them.
    turn: AtomicU64,
    is_admitted: bool,
}

impl Connection {
    /// Whether the connection is within the limits of connections.
    pub(super) fn is_admitted(&self) -> bool {
        self.is_admitted && self.state.get().stage != Stage::Refused
    }

    /// Records that the client has sent bytes.
    pub(super) fn on_received(&self) {
        self.state.change_if(|state| {
            let is_next_request = state.stage == Stage::Idle;
            if is_next_request {
                state.stage = Stage::Receiving;
            }
            is_next_request
        });
    }

    /// Stores whether the client reads the response.
    pub(super) fn set_stuck(&self, is_stuck: bool) {
        self.state.change(|state| state.is_stuck = is_stuck);
    }

    /// Marks the start of a request, whose head has arrived. The guard lives until hyper has taken the whole response.
    pub(super) fn start_request(self: &Arc<Self>) -> RequestGuard {
        if !self.stop_waiting() {
            self.state.change(|state| state.stage = Stage::Refused);
        }
        RequestGuard(self.clone())
    }

    /// Marks that the next bytes of the request body have not arrived.
    pub(super) fn wait_for_body(&self) {
        self.start_waiting(Stage::Working, Stage::ReceivingBody);
    }

    /// Marks that the connection waits for its client no longer. One that has lost its place takes another one. Returns false
    /// if there is none: then the connection still closes.
    pub(super) fn stop_waiting(&self) -> bool {
        let mut pools = self.connections.pools.lock();
        let pool = pools.get(self.is_admitted);
        pool.remove_waiting(self.turn.load(Relaxed));
        self.state.change_if(|state| match state.stage {
            Stage::Closing if !pool.take(self.address) => false,
            Stage::Refused => false,
            _ => {
                state.stage = Stage::Working;
                true
            }
        })
    }

    /// Changes the stage, and lets a new connection replace this one from now on.
    fn start_waiting(&self, from: Stage, to: Stage) {
        let mut pools = self.connections.pools.lock();
        let is_changed = self.state.change_if(|state| {
            let is_from = state.stage == from;
            if is_from {
                state.stage = to;
            }
            is_from
        });
        if is_changed {
            let connection = WaitingConnection { address: self.address, state: self.state.clone() };
            self.turn.store(pools.get(self.is_admitted).add_waiting(connection), Relaxed);
        }
    }

    /// Returns when the connection has been in one state for too long.
    pub(super) async fn timed_out(&self) {
        self.state.timed_out().await;
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        let mut pools = self.connections.pools.lock();
        let pool = pools.get(self.is_admitted);
        pool.remove_waiting(self.turn.load(Relaxed));
        if !matches!(self.state.get().stage, Stage::Closing | Stage::Refused) {
            pool.free(self.address);
        }
    }
}

/// A request in progress. When it is dropped, the connection is idle again, unless it closes.
pub(super) struct RequestGuard(Arc<Connection>);

impl Drop for RequestGuard {
    fn drop(&mut self) {
        self.0.start_waiting(Stage::Working, Stage::Idle);
    }
}
