//! The state that a proxy shares with its connections.

use std::{net::SocketAddr, sync::Arc, time::Duration};

use parking_lot::Mutex;
use tokio::sync::watch;

use super::breakpoint::Breakpoint;

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Traffic {
    #[default]
    Flowing,
    /// Connections stay open, and no byte passes.
    Held,
    /// New connections are closed as soon as they have sent something.
    Refused,
}

/// A connection compares the counts with those at its start.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Conditions {
    pub(super) traffic: Traffic,
    /// How often the connections were cut in the middle of a message.
    pub(super) cuts: u64,
    /// How often all connections were closed.
    pub(super) closings: u64,
    /// How often all connections became silent for ever.
    pub(super) silences: u64,
    /// The number of open connections.
    pub(super) connections: usize,
}

pub(super) struct ProxyState {
    /// The address of the proxy.
    pub(super) address: SocketAddr,
    /// `host:port`
    pub(super) server: String,
    /// The delay of all bytes to the server.
    pub(super) delay: Duration,
    pub(super) breakpoint: Mutex<Option<Arc<Breakpoint>>>,
    state: watch::Sender<Conditions>,
}

impl ProxyState {
    pub(super) fn new(address: SocketAddr, server: &str, delay: Duration) -> Self {
        let (server, breakpoint) = (server.to_owned(), Mutex::default());
        Self { address, server, delay, breakpoint, state: watch::Sender::default() }
    }

    pub(super) fn state(&self) -> Conditions {
        *self.state.borrow()
    }

    pub(super) fn change(&self, change: impl FnOnce(&mut Conditions)) {
        self.state.send_modify(change);
    }

    pub(super) async fn wait_for(&self, condition: impl FnMut(&Conditions) -> bool) {
        // It cannot fail: `self` owns the sender.
        let _ = self.state.subscribe().wait_for(condition).await;
    }

    /// Waits until the bytes of a connection may pass.
    pub(super) async fn wait_until_flowing(&self, start: Conditions) {
        let flows = |state: &Conditions| state.traffic != Traffic::Held && state.silences == start.silences;
        self.wait_for(flows).await;
    }

    /// The position of the breakpoint's pattern in this chunk. The breakpoint counts as hit then.
    pub(super) fn hit_breakpoint(&self, to_server: bool, chunk: &[u8]) -> Option<usize> {
        let mut slot = self.breakpoint.lock();
        let breakpoint = slot.clone()?;
        if breakpoint.is_over() {
            *slot = None;
            return None;
        }
        breakpoint.hit(to_server, chunk, self.address)
    }
}
