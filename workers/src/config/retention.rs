//! The settings of stored data.

use chrono::TimeDelta;
use clap::Args;

use super::duration::{days, days_or_none};

/// How long data is stored.
#[derive(Debug, Clone, Args)]
pub struct RetentionSettings {
    /// Days for which the outcome of an operation is stored. An Idempotency-Key is valid for the same time
    #[arg(long = "operations-kept-days", env = "GUILDHALL_OPERATIONS_KEPT_DAYS", default_value = "30", value_parser = days)]
    pub operations: TimeDelta,

    /// Days for which the changes for game servers are stored. A game server that was away for longer reads a snapshot
    #[arg(long = "game-changes-kept-days", env = "GUILDHALL_GAME_CHANGES_KEPT_DAYS", default_value = "14", value_parser = days)]
    pub game_changes: TimeDelta,

    /// Days for which the name and the e-mail address of a deleted account with payments are kept. Set it if the law of your
    /// country requires it. 0: they are not kept
    #[arg(long = "identity-retention-days", env = "GUILDHALL_IDENTITY_RETENTION_DAYS", default_value = "0", value_parser = days_or_none)]
    pub identities: TimeDelta,
}
