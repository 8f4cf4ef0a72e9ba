//! The settings of accounts.

use clap::Args;

/// The rules of accounts.
#[derive(Debug, Clone, Args)]
pub struct AccountSettings {
    /// Whether the role admin needs two administrators: one proposes an account, another one confirms it within a day
    #[arg(long, env = "GUILDHALL_SECOND_ADMIN_REQUIRED", default_value_t = false, action = clap::ArgAction::Set)]
    pub second_admin_required: bool,
}
