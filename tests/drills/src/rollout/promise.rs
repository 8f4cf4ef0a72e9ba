//! What the site promises at the moment. It changes with the steps of a rollout.

use std::time::Instant;

#[derive(Debug, Clone, Copy)]
pub(super) struct Promise {
    /// A repeated request that was first sent after this moment gets its first outcome.
    pub keys_from: Instant,
    /// An operation of a request that was sent after this moment can be polled.
    pub operations_from: Instant,
    /// Whether access tokens stay valid until they expire. Otherwise clients renew them.
    pub keeps_tokens: bool,
}

impl Promise {
    /// Everything since now.
    pub(super) fn everything() -> Self {
        let now = Instant::now();
        Self { keys_from: now, operations_from: now, keeps_tokens: true }
    }
}
