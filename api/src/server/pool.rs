//! A pool of connections, and the state of each.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    net::IpAddr,
    sync::Arc,
};

use crate::server::stage_timer::{Stage, StageTimer};

/// A number of connections. At its limits, a new connection replaces one that waits for its client.
pub(super) struct Pool {
    total: usize,
    per_address: usize,
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

pub(super) struct WaitingConnection {
    pub(super) address: Option<IpAddr>,
    pub(super) state: Arc<StageTimer>,
}

impl Pool {
    pub(super) fn new(total: usize, per_address: usize) -> Self {
        let (by_address, waiting) = (HashMap::new(), BTreeMap::new());
        Self { total, per_address, used: 0, by_address, last_turn: 0, waiting }
    }

    /// Whether there is room for a connection of this address. If necessary and possible, it closes a waiting one.
    pub(super) fn make_room(&mut self, address: Option<IpAddr>) -> bool {
        let of_address = address.and_then(|address| self.by_address.get(&address));
        let replaced = match of_address {
            // An address at its own limit replaces only its own connections.
            Some(own) if own.used >= self.per_address => own.waiting.first().copied(),
            _ if self.used < self.total => return true,
            _ => self.waiting.keys().next().copied(),
        };
        replaced.is_some_and(|turn| self.close(turn))
    }

    pub(super) fn take(&mut self, address: Option<IpAddr>) {
        self.used += 1;
        if let Some(address) = address {
            self.by_address.entry(address).or_default().used += 1;
        }
    }

    pub(super) fn free(&mut self, address: Option<IpAddr>) {
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

    pub(super) fn add_waiting(&mut self, connection: WaitingConnection) -> u64 {
        self.last_turn += 1;
        if let Some(address) = connection.address {
            self.by_address.entry(address).or_default().waiting.insert(self.last_turn);
        }
        self.waiting.insert(self.last_turn, connection);
        self.last_turn
    }

    pub(super) fn remove_waiting(&mut self, turn: u64) -> Option<WaitingConnection> {
        let connection = self.waiting.remove(&turn)?;
        if let Some(address) = connection.address
            && let Some(own) = self.by_address.get_mut(&address)
        {
            own.waiting.remove(&turn);
        }
        Some(connection)
    }

    /// Closes the connection that has waited for the longest time. Returns false if none waits.
    pub(super) fn close_longest_waiting(&mut self) -> bool {
        let longest = self.waiting.keys().next().copied();
        longest.is_some_and(|turn| self.close(turn))
    }

    /// Closes a waiting connection. Returns false if it is not waiting.
    fn close(&mut self, turn: u64) -> bool {
        let connection = self.remove_waiting(turn);
        connection.map(|it| it.state.change(|state| state.stage = Stage::Closing)).is_some()
    }
}
