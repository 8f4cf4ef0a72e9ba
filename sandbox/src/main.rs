use std::process::ExitCode;

use clap::Parser;
use guildhall_sandbox::{Sandbox, config::Config};
use tokio::signal::unix::{SignalKind, signal};
use tracing_subscriber::EnvFilter;

/// A payment provider to develop and test against: a bank without money that speaks the Brazilian
/// central bank's API Pix 2.9.0, at / and at /api/v2, with tokens from /oauth/token. Open its address
/// in a browser to pay charges; /sandbox/faults makes things go wrong on demand
#[derive(Parser)]
#[command(version)]
struct Cli {
    /// What to log: a level (error, warn, info, debug, trace) or target=level pairs
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

async fn run(cli: Cli) -> anyhow::Result<()> {
    let filter = EnvFilter::try_new(&cli.log)?;
    tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr).init();
    let (mut term, mut interrupt) = (signal(SignalKind::terminate())?, signal(SignalKind::interrupt())?);
    let sandbox = Sandbox::start(cli.config).await?;
    tracing::info!(url = sandbox.url(), "serving");
    tokio::select! {
        _ = term.recv() => {}
        _ = interrupt.recv() => {}
    }
    sandbox.stop().await;
    tracing::info!("stopped");
    Ok(())
}
