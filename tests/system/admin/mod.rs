//! Administration: coins and the audit log.

mod accounts;
mod audit;
mod coins;
