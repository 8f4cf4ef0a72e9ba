//! The settings of guilds.

use clap::Args;

/// The rules of guilds.
#[derive(Debug, Clone, Args)]
pub struct GuildSettings {
    /// The lowest level of a character that creates a guild
    #[arg(long = "guild-minimum-level", env = "GUILDHALL_GUILD_MINIMUM_LEVEL", default_value_t = 8)]
    pub minimum_level: i32,

    /// The maximum number of members of a guild, 1 to 10000
    #[arg(
        long = "guild-member-cap",
        env = "GUILDHALL_GUILD_MEMBER_CAP",
        default_value_t = 100,
        value_parser = clap::value_parser!(i64).range(1..=10_000)
    )]
    pub member_cap: i64,

    /// Whether a character must be offline to create, join or leave a guild and to change its rank. A guild is deleted only when all
    /// its members are offline
    #[arg(
        long = "guild-offline-required",
        env = "GUILDHALL_GUILD_OFFLINE_REQUIRED",
        default_value_t = true,
        action = clap::ArgAction::Set
    )]
    pub offline_required: bool,

    /// Whether a character needs the game's confirmation to create or join a guild. Set it if the site has a game server
    #[arg(
        id = "guild_confirmed_required",
        long,
        env = "GUILDHALL_GUILD_CONFIRMED_REQUIRED",
        default_value_t = false,
        action = clap::ArgAction::Set
    )]
    pub confirmed_required: bool,
}
