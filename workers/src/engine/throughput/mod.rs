//! Speed: what the engine does so that many commands need few round trips and few transactions. Without this room, each command would
//! have a transaction and statements of its own.
//!
//! Each part has a gain, which `./dev bench` has measured without and with it:
//!
//! - [`GroupCommit`]: the batches of several partitions share a transaction. With the limit: 30 % less processor time for a command.
//! - [`TransactionLimit`]: few transactions at the same time, so that each has many commands. It also keeps their connections: 1.17 times
//!   as many commands of 16 clients.
//! - [`batch_statements`]: the first and the last statement of a transaction, each sent with `begin` or `commit`. With 1 ms more for each
//!   round trip, a command needs 11.5 instead of 14.8 ms.
//! - [`SetRule`]: the same statements apply several commands. 2.2 times as many purchases, 10 % less processor time for texts of guilds.
//! - [`Acknowledgements`]: one acknowledgement covers the messages of a short time. 1.18 times as many commands of 64 clients.
//! - [`grow_with_workers`]: no more partitions than workers, so that batches have many commands. 1.5 times as many commands as with 8.
//!
//! The api has one more part. With `Prefer: respond-async`, `api/src/commands/pace.rs` accepts commands at the pace of the workers: 1.3
//! times as many are applied.

mod acknowledgements;
pub(super) mod batch_statements;
mod group_commit;
mod literal;
mod partition_growth;
mod sets;
mod transaction_limit;

pub(crate) use self::sets::{Sent, SetContext, SetRule};
/// The functions that [`batch_statements`] calls, as SQL.
pub(crate) const BATCH_FUNCTIONS: &str = include_str!("batches.sql");

pub(super) use self::{
    acknowledgements::{Acknowledgements, MAX_PENDING},
    group_commit::{GroupCommit, MAX_COMMANDS},
    partition_growth::grow_with_workers,
    transaction_limit::{TransactionLimit, TransactionPermit},
};
