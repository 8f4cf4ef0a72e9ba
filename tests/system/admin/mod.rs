//! Administration: coins and the audit log.

mod audit;
mod coins;
