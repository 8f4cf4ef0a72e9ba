use std::process::ExitCode;

use clap::Parser;
use guildhall_sandbox::{Sandbox, config::Config};
use tokio::signal::unix::{SignalKind, signal};
use tracing_subscriber::{filter::Targets, fmt, layer::SubscriberExt, registry, util::SubscriberInitExt};

/// A fake bank and a mail catcher for development and tests. The bank speaks the Brazilian central bank's API
/// Pix 2.9.0 at / and at /api/v2, with tokens from /oauth/token. Open its address in a browser to pay charges
/// and to read mails. /sandbox/faults configures fault injection
#[derive(Parser)]
#[command(version)]
struct Cli {
    /// The log filter: a level (error, warn, info, debug, trace) or target=level pairs
    #[arg(long, env = "GUILDHALL_LOG", default_value = "info")]
    log: String,
    #[command(flatten)]
    config: Config,
}

#[tokio::main]
async fn main() -> ExitCode {
    match run(Cli::parse()).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// Runs the sandbox until SIGTERM or SIGINT.
async fn run(cli: Cli) -> anyhow::Result<()> {
    let filter: Targets = cli.log.parse()?;
    registry().with(fmt::layer().with_writer(std::io::stderr)).with(filter).init();
    let (mut terminate, mut interrupt) = (signal(SignalKind::terminate())?, signal(SignalKind::interrupt())?);
    let sandbox = Sandbox::start(cli.config).await?;
    tracing::info!(url = sandbox.url(), "sandbox started");
    if let Some(address) = sandbox.mail_address() {
        tracing::info!(%address, "mail catcher started");
    }
    tokio::select! {
        _ = terminate.recv() => {}
        _ = interrupt.recv() => {}
    }
    sandbox.stop().await;
    tracing::info!("sandbox stopped");
    Ok(())
}
