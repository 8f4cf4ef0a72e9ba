use std::process::ExitCode;

use clap::{Parser, Subcommand};
use guildhall_common::platform::{config::exit_code, telemetry};
use guildhall_drills::{abuse, chaos, payments, stack::Part, webhooks};

/// Drills and measurements of a site that ./dev drill has started for it: without a command, players live on it while
/// its parts are killed, frozen and cut off, and then the books are compared
#[derive(Parser)]
#[command(version, args_conflicts_with_subcommands = true)]
struct Cli {
    #[command(flatten)]
    chaos: chaos::Settings,

    #[command(subcommand)]
    run: Option<Run>,
}

#[derive(Subcommand)]
enum Run {
    /// Kill one part after the other between any two steps of a payment, and in the middle of each
    Payments {
        /// Which parts; all of them unless said
        parts: Vec<Part>,
    },
    /// Bad input and rough clients: whatever they send or leave out, others are answered and nothing grows
    Abuse(abuse::Settings),
    /// Measure how fast notifications of payments are taken
    Webhooks,
}

#[tokio::main]
async fn main() -> ExitCode {
    telemetry::init_tls();
    exit_code(run(Cli::parse()).await)
}

async fn run(cli: Cli) -> anyhow::Result<()> {
    match cli.run {
        None => chaos::run(&cli.chaos).await,
        Some(Run::Payments { parts }) if parts.is_empty() => payments::run(&Part::ALL).await,
        Some(Run::Payments { parts }) => payments::run(&parts).await,
        Some(Run::Abuse(settings)) => abuse::run(&settings).await,
        Some(Run::Webhooks) => webhooks::measure().await,
    }
}
