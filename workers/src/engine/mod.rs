//! The engine: it consumes queued commands, applies them in batches, and stores what follows from them.

pub(crate) mod audit;
pub(crate) mod batch;
pub(crate) mod consumer;
pub mod dead_letters;
pub(crate) mod deferred;
pub(crate) mod outbox;
pub(crate) mod rule;
