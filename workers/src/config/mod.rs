//! The workers' settings. `guildhall-workers serve --help` is the manual.

mod payments;

use std::net::SocketAddr;

use chrono::TimeDelta;
use clap::Args;
use guildhall_common::platform::config::ServerSettings;

pub use payments::PaymentSettings;

#[derive(Debug, Clone, Args)]
pub struct Config {
    #[command(flatten)]
    pub servers: ServerSettings,

    #[command(flatten)]
    pub settings: Settings,

    /// Where health and metrics are served
    #[arg(long, env = "GUILDHALL_WORKERS_LISTEN", default_value = "127.0.0.1:8081")]
    pub listen: SocketAddr,
}

/// What a community may set of the rules.
#[derive(Debug, Clone, Args)]
pub struct Settings {
    /// Level that a character needs to found a guild
    #[arg(long, env = "GUILDHALL_GUILD_MINIMUM_LEVEL", default_value_t = 8)]
    pub guild_minimum_level: i32,

    /// Most members of a guild
    #[arg(long, env = "GUILDHALL_GUILD_MEMBER_CAP", default_value_t = 100)]
    pub guild_member_cap: i64,

    /// Days after which an invite to a guild expires
    #[arg(long = "guild-invite-days", env = "GUILDHALL_GUILD_INVITE_DAYS", default_value = "30", value_parser = days)]
    pub guild_invite_lifetime: TimeDelta,

    /// Whether a character must be offline to create, join or leave a guild or change its rank there
    #[arg(long, env = "GUILDHALL_GUILD_OFFLINE_REQUIRED", default_value_t = true, action = clap::ArgAction::Set)]
    pub guild_offline_required: bool,

    /// Most characters of an account
    #[arg(long, env = "GUILDHALL_CHARACTERS_PER_ACCOUNT", default_value_t = 20)]
    pub characters_per_account: i64,

    /// Days for which the outcome of an operation is kept, and its Idempotency-Key with it
    #[arg(long = "operations-kept-days", env = "GUILDHALL_OPERATIONS_KEPT_DAYS", default_value = "30", value_parser = days)]
    pub operations_kept: TimeDelta,

    /// How often a purchase is handed to game servers before it is parked
    #[arg(long, env = "GUILDHALL_DELIVERY_TRIES", default_value_t = 10, value_parser = clap::value_parser!(i32).range(1..))]
    pub delivery_tries: i32,

    #[command(flatten)]
    pub payments: PaymentSettings,
}

fn days(text: &str) -> Result<TimeDelta, String> {
    whole(text, TimeDelta::try_days)
}

pub(crate) fn minutes(text: &str) -> Result<TimeDelta, String> {
    whole(text, TimeDelta::try_minutes)
}

fn whole(text: &str, of: impl Fn(i64) -> Option<TimeDelta>) -> Result<TimeDelta, String> {
    let number = text.parse().map_err(|_| "must be a whole number".to_owned())?;
    of(number).filter(|time| *time > TimeDelta::zero()).ok_or_else(|| "must be at least 1".to_owned())
}
