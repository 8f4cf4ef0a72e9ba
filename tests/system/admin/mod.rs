//! Administration: coins and the audit log.

mod coins;
