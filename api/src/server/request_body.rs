//! The body of a request. It reports to its connection when it waits for bytes.

use std::{
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
};

use futures_util::Stream;

use crate::server::connections::Connection;

/// While this waits for bytes, its connection waits for the client.
pub(super) struct TrackedRequestBody<S> {
    chunks: S,
    connection: Arc<Connection>,
    is_waiting: bool,
}

impl<S> TrackedRequestBody<S> {
    pub(super) fn new(chunks: S, connection: Arc<Connection>) -> Self {
        Self { chunks, connection, is_waiting: false }
    }

    fn set_waiting(&mut self, is_waiting: bool) {
        match (self.is_waiting, is_waiting) {
            (false, true) => self.connection.wait_for_body(),
            (true, false) => {
                // Without a place, the timer of the connection ends it.
                let _ = self.connection.stop_waiting();
            }
            _ => {}
        }
        self.is_waiting = is_waiting;
    }
}

impl<S: Stream + Unpin> Stream for TrackedRequestBody<S> {
    type Item = S::Item;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<S::Item>> {
        let chunk = Pin::new(&mut self.chunks).poll_next(context);
        self.set_waiting(chunk.is_pending());
        chunk
    }
}

impl<S> Drop for TrackedRequestBody<S> {
    /// The reader gave up, and the connection sends a response now.
    fn drop(&mut self) {
        self.set_waiting(false);
    }
}
