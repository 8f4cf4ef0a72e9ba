//! The engine: it consumes queued commands, applies them in batches, and stores and publishes their effects.

pub(crate) mod audit;
mod batch;
pub(crate) mod consumer;
pub mod dead_letters;
pub(crate) mod deferred;
pub(crate) mod failure;
mod idempotency;
mod operations;
pub(crate) mod outbox;
mod redaction;
mod reply;
pub(crate) mod rule;
pub(crate) mod trail;
mod transaction;
