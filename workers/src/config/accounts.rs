//! The settings of deleted accounts.

use chrono::TimeDelta;
use clap::Args;

use super::duration::{days, days_or_none};

/// The deletion of accounts.
#[derive(Debug, Clone, Args)]
pub struct AccountSettings {
    /// Days between the request to delete an account and its deletion. The owner can cancel it until then
    #[arg(long = "account-deletion-days", env = "GUILDHALL_ACCOUNT_DELETION_DAYS", default_value = "14", value_parser = days)]
    pub deletion_delay: TimeDelta,

    /// Days for which the name and the e-mail address of a deleted account with payments are kept. Set it if the law of your
    /// country requires it. 0: they are not kept
    #[arg(long = "identity-retention-days", env = "GUILDHALL_IDENTITY_RETENTION_DAYS", default_value = "0", value_parser = days_or_none)]
    pub identity_retention: TimeDelta,
}
