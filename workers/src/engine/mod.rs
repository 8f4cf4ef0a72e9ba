//! The engine: it consumes queued commands, applies them in batches, stores and publishes their effects, and runs jobs.

pub(crate) mod audit;
mod backlog;
mod batch;
mod broker_connections;
mod command_queue;
mod consumer;
pub(crate) mod context;
pub(crate) mod dead_letter_queue;
pub(crate) mod dead_letters;
pub(crate) mod deferred;
mod domains;
pub(crate) mod failure;
mod idempotency;
pub(crate) mod job_transaction;
pub(crate) mod jobs;
mod lease;
mod operations;
pub(crate) mod outbox;
pub(crate) mod partitions;
pub(crate) mod purge;
mod redaction;
mod reply;
pub(crate) mod rule;
mod savepoint;
pub(crate) mod throughput;
pub(crate) mod trail;
mod transaction;
