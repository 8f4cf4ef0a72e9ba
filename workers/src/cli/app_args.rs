use guildhall_common::platform::config::ServerSettings;
use guildhall_workers::{App, config::Settings};
use tokio_util::sync::CancellationToken;

/// The arguments of a subcommand that works on a site.
#[derive(clap::Args)]
pub(crate) struct AppArgs {
    #[command(flatten)]
    pub(crate) servers: ServerSettings,
    #[command(flatten)]
    settings: Settings,
}

impl AppArgs {
    pub(crate) fn start(self) -> anyhow::Result<App> {
        App::new(&self.servers, self.settings, CancellationToken::new())
    }
}
