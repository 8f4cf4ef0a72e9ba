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

    /// Gives a place to a connection of this address. If necessary and possible, a waiting one loses its place.
    pub(super) fn take(&mut self, address: Option<IpAddr>) -> bool {
        let of_address = address.and_then(|address| self.by_address.get(&address));
        let has_room = match of_address {
            // An address at its own limit replaces only its own connections.
            Some(own) if own.used >= self.per_address => {
                let replaced = own.waiting.first().copied();
                replaced.is_some_and(|turn| self.close(turn))
            }
            _ => self.used < self.total || self.close_longest_waiting(),
        };
        if has_room {
            self.used += 1;
            if let Some(address) = address {
                self.by_address.entry(address).or_default().used += 1;
            }
        }
        has_room
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

    /// Takes the place of a waiting connection, which closes. Returns false if it is not waiting.
    fn close(&mut self, turn: u64) -> bool {
        let Some(connection) = self.remove_waiting(turn) else { return false };
        connection.state.change(|state| state.stage = Stage::Closing);
        self.free(connection.address);
        true
    }
}
