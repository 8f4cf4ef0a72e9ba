//! Speed: what the engine does so that many commands need few round trips and few transactions. Without this room, each command would
//! have a transaction and statements of its own.
//!
//! - [`GroupCommit`]: the batches of several partitions share a transaction.
//! - [`TransactionLimit`]: few transactions at the same time, so that each has many commands.
//! - [`batch_statements`]: the first and the last statement of a transaction, each sent with `begin` or `commit`.
//! - [`SetRule`]: the same statements apply several commands.

pub(super) mod batch_statements;
mod group_commit;
mod literal;
mod sets;
mod transaction_limit;

pub(crate) use self::sets::{Sent, SetContext, SetRule};
/// The functions that [`batch_statements`] calls, as SQL.
pub(crate) const BATCH_FUNCTIONS: &str = include_str!("batches.sql");

pub(super) use self::{
    group_commit::{GroupCommit, MAX_COMMANDS},
    transaction_limit::{TransactionLimit, TransactionPermit},
};
