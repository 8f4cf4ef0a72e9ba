//! The settings of the workers, one file for each domain. `guildhall-workers serve --help` is their documentation.

mod accounts;
mod character_names;
mod characters;
mod duration;
mod guilds;
mod mail;
mod payments;
mod retention;
mod shop;

use std::net::SocketAddr;

use clap::Args;
use guildhall_common::platform::config::{ServerSettings, SiteSettings};

pub use self::{
    accounts::AccountSettings, character_names::CharacterNames, characters::CharacterSettings,
    guilds::GuildSettings, mail::MailSettings, payments::PaymentSettings, retention::RetentionSettings,
    shop::ShopSettings,
};

/// The settings of the command `serve`.
#[derive(Debug, Clone, Args)]
pub struct WorkersConfig {
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
    #[command(flatten)]
    pub site: SiteSettings,

    #[command(flatten)]
    pub guilds: GuildSettings,

    #[command(flatten)]
    pub characters: CharacterSettings,

    #[command(flatten)]
    pub shop: ShopSettings,

    #[command(flatten)]
    pub payments: PaymentSettings,

    #[command(flatten)]
    pub mail: MailSettings,

    #[command(flatten)]
    pub accounts: AccountSettings,

    #[command(flatten)]
    pub retention: RetentionSettings,
}
