//! What an operator can do, one file for each kind of thing.

mod coins;
mod dead_letters;
mod payload;
mod service_token;

use guildhall_common::platform::config::ServerSettings;
use guildhall_workers::{App, config::Settings};
use tokio_util::sync::CancellationToken;

pub(crate) use crate::cli::{
    coins::Coins, dead_letters::DeadLetters, payload::Payload, service_token::ServiceToken,
};

/// What a command needs that works on a site.
#[derive(clap::Args)]
pub(crate) struct With {
    #[command(flatten)]
    pub(crate) servers: ServerSettings,
    #[command(flatten)]
    settings: Settings,
}

impl With {
    pub(crate) fn site(self) -> anyhow::Result<App> {
        App::new(&self.servers, self.settings, CancellationToken::new())
    }
}
