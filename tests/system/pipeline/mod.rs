//! Commands on their way from the api through the queue and the workers.

mod commits;
mod consistency;
mod dead_letters;
mod events;
mod idempotency;
mod long_queues;
mod operations;
mod partitions;
mod publishing;
mod purges;
mod races;
mod replies;
mod secrets;
mod shutdown;
mod trails;
