//! Faults, their injection and their end.

mod inject;
mod kinds;
mod postgres;
mod rabbitmq;
pub(super) mod redis;
mod workers;

pub(super) use inject::{LONG_OUTAGE_MIN, inject};
pub(super) use kinds::Fault;
