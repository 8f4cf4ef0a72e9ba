//! The settings of the workers. `guildhall-workers serve --help` is their documentation.

mod accounts;
mod character_names;
mod duration;
mod mail;
mod payments;

use std::{net::SocketAddr, num::NonZeroUsize};

use chrono::TimeDelta;
use clap::Args;
use guildhall_common::platform::config::ServerSettings;

pub use accounts::AccountSettings;
pub use character_names::CharacterNames;
pub use mail::MailSettings;
pub use payments::PaymentSettings;

use self::duration::{days, seconds};

/// The settings of the command `serve`.
#[derive(Debug, Clone, Args)]
pub struct Config {
    #[command(flatten)]
    pub servers: ServerSettings,

    #[command(flatten)]
    pub settings: Settings,

    /// The address for health checks and metrics
    #[arg(long, env = "GUILDHALL_WORKERS_LISTEN", default_value = "127.0.0.1:8081")]
    pub listen: SocketAddr,
}

/// The rules that a site can change.
#[derive(Debug, Clone, Args)]
pub struct Settings {
    /// The lowest level of a character that creates a guild
    #[arg(long, env = "GUILDHALL_GUILD_MINIMUM_LEVEL", default_value_t = 8)]
    pub guild_minimum_level: i32,

    /// The maximum number of members of a guild, 1 to 10000
    #[arg(long, env = "GUILDHALL_GUILD_MEMBER_CAP", default_value_t = 100, value_parser = clap::value_parser!(i64).range(1..=10_000))]
    pub guild_member_cap: i64,

    /// Days after which an invite to a guild expires
    #[arg(long = "guild-invite-days", env = "GUILDHALL_GUILD_INVITE_DAYS", default_value = "30", value_parser = days)]
    pub guild_invite_lifetime: TimeDelta,

    /// Whether a character must be offline to create, join or leave a guild and to change its rank. A guild is deleted only when all
    /// its members are offline
    #[arg(long, env = "GUILDHALL_GUILD_OFFLINE_REQUIRED", default_value_t = true, action = clap::ArgAction::Set)]
    pub guild_offline_required: bool,

    /// The maximum number of characters of an account, 1 to 1000000
    #[arg(long, env = "GUILDHALL_CHARACTERS_PER_ACCOUNT", default_value_t = 20, value_parser = clap::value_parser!(i64).range(1..=1_000_000))]
    pub characters_per_account: i64,

    /// The names of characters that the game allows. open-tibia: letters with single spaces, apostrophes and hyphens. identifiers:
    /// letters, digits and underscores
    #[arg(long, env = "GUILDHALL_CHARACTER_NAMES", default_value = "open-tibia")]
    pub character_names: CharacterNames,

    /// The coins that a player pays for a new name of a character
    #[arg(long, env = "GUILDHALL_RENAME_COST", default_value_t = 0, value_parser = clap::value_parser!(i64).range(0..))]
    pub rename_cost: i64,

    /// Days between the request to delete a character and its deletion. The player can cancel the request until then
    #[arg(long = "character-deletion-days", env = "GUILDHALL_CHARACTER_DELETION_DAYS", default_value = "7", value_parser = days)]
    pub character_deletion_delay: TimeDelta,

    /// Whether a character needs the game's confirmation to create or join a guild. Set it if the site has a game server
    #[arg(long, env = "GUILDHALL_GUILD_CONFIRMED_REQUIRED", default_value_t = false, action = clap::ArgAction::Set)]
    pub guild_confirmed_required: bool,

    /// Whether something can be bought only for a character that the game has confirmed. Set it if the site has a game server: a
    /// player can create a character with any free name on the site
    #[arg(long, env = "GUILDHALL_PURCHASE_CONFIRMED_REQUIRED", default_value_t = false, action = clap::ArgAction::Set)]
    pub purchase_confirmed_required: bool,

    /// Whether the role admin needs two administrators: one proposes an account, another one confirms it within a day
    #[arg(long, env = "GUILDHALL_SECOND_ADMIN_REQUIRED", default_value_t = false, action = clap::ArgAction::Set)]
    pub second_admin_required: bool,

    /// The seconds for which characters stay online after the last request of their game server
    #[arg(long = "presence-seconds", env = "GUILDHALL_PRESENCE_SECONDS", default_value = "300", value_parser = seconds)]
    pub presence_lease: TimeDelta,

    /// Days for which the outcome of an operation is stored. An Idempotency-Key is valid for the same time
    #[arg(long = "operations-kept-days", env = "GUILDHALL_OPERATIONS_KEPT_DAYS", default_value = "30", value_parser = days)]
    pub operations_kept: TimeDelta,

    /// The number of refusals by game servers after which a delivery is parked. Temporary refusals do not count
    #[arg(long, env = "GUILDHALL_DELIVERY_TRIES", default_value_t = 10, value_parser = clap::value_parser!(i32).range(1..))]
    pub delivery_tries: i32,

    /// The maximum number of transactions in which this worker applies commands at the same time. It is never more than half of the
    /// worker's connections to Postgres. By default it is this half if a round trip to Postgres takes 0.4 ms or more. If it takes less, the
    /// default is the number of the machine's processors divided by the number of workers, and at least 1
    #[arg(long, env = "GUILDHALL_TRANSACTIONS")]
    pub transactions: Option<NonZeroUsize>,

    #[command(flatten)]
    pub payments: PaymentSettings,

    #[command(flatten)]
    pub mail: MailSettings,

    #[command(flatten)]
    pub accounts: AccountSettings,
}
