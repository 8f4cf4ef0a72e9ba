//! The slots for large request bodies.

use std::sync::Arc;

use tokio::sync::Semaphore;

/// The maximum number of large bodies that the process holds at the same time.
const SLOTS: usize = 64;

/// A body above the default limit needs one of these slots. This bounds the memory for bodies.
#[derive(Clone)]
pub(crate) struct LargeBodySlots(pub(crate) Arc<Semaphore>);

impl Default for LargeBodySlots {
    fn default() -> Self {
        Self(Arc::new(Semaphore::new(SLOTS)))
    }
}
