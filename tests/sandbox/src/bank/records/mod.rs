//! The records of the bank. Field names in JSON are those of API Pix; the append-only log uses them too.

pub(crate) mod charge;
pub(crate) mod payment;
pub(crate) mod refund;
pub(crate) mod webhook;
