//! Partitions: the queues of a domain, each of which one worker processes at a time.
//!
//! Every second a worker renews its row in `workers` and reads which partitions should be its own: `assignment` computes it
//! from the table, so that all workers come to the same result. It takes the lease of a partition that is free, and
//! returns the lease of one that another worker should have. Each transaction checks the epoch of its lease. So a worker that was
//! frozen commits nothing after another one has taken its partition.

mod assignment;
mod leases;
mod number;
mod worker;

pub(crate) use self::{number::set as set_number, worker::run};
