//! Bytes at which a connection is stopped.

use std::net::SocketAddr;

use parking_lot::Mutex;
use tokio::sync::oneshot;

/// Bytes in one direction.
#[derive(Debug, Clone, Copy)]
pub struct Pattern {
    pub to_server: bool,
    pub bytes: &'static [u8],
}

/// Stops the first connection that carries the pattern, on any of its proxies. It acts once.
pub(super) struct Breakpoint {
    pattern: Pattern,
    /// Receives the address of the proxy.
    hit: Mutex<Option<oneshot::Sender<SocketAddr>>>,
}

impl Breakpoint {
    pub(super) fn new(pattern: Pattern) -> (Self, oneshot::Receiver<SocketAddr>) {
        let (sender, hit) = oneshot::channel();
        (Self { pattern, hit: Mutex::new(Some(sender)) }, hit)
    }

    /// Whether its waiter is gone.
    pub(super) fn is_over(&self) -> bool {
        self.hit.lock().as_ref().is_none_or(oneshot::Sender::is_closed)
    }

    /// The position of the pattern in this chunk of a proxy. The breakpoint counts as hit then.
    pub(super) fn hit(&self, to_server: bool, chunk: &[u8], proxy: SocketAddr) -> Option<usize> {
        let Pattern { bytes, .. } = self.pattern;
        let position = chunk.windows(bytes.len()).position(|window| window == bytes)?;
        let is_hit = self.pattern.to_server == to_server && self.hit.lock().take()?.send(proxy).is_ok();
        is_hit.then_some(position)
    }
}
