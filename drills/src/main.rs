use std::process::ExitCode;

use clap::{Parser, Subcommand};
use guildhall_common::platform::{config::exit_code, telemetry};
use guildhall_drills::{
    abuse, chaos, mails, panics::fail_on_panics, payments, rollout, stack::Part, webhooks,
};

/// Drills and measurements of a site that ./dev drill has started
///
/// Without a command: players use the site while faults kill, freeze and disconnect its parts. Afterwards consistency
/// checks compare all responses with the database and the cache.
#[derive(Parser)]
#[command(version, args_conflicts_with_subcommands = true)]
struct Cli {
    #[command(flatten)]
    chaos: chaos::Settings,

    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    /// Kill each part before each step of a payment, and during each step
    Payments {
        /// The parts to kill; all of them by default
        parts: Vec<Part>,
    },
    /// Kill the workers and a real mail server while they send mails
    Mails(mails::Settings),
    /// Send invalid input and open slow connections, and check that other clients are served and nothing grows
    Abuse(abuse::Settings),
    /// Measure how many payment notifications per second the api takes
    Webhooks,
    /// Replace GUILDHALL_SECRET as OPERATIONS describes, while clients repeat requests and renew their tokens
    Rotate(rollout::Settings),
    /// Upgrade the site from the last release as CHANGELOG describes, while clients repeat requests
    Upgrade(rollout::Settings),
}

#[tokio::main]
async fn main() -> ExitCode {
    telemetry::init_tls();
    exit_code(fail_on_panics(run(Cli::parse())).await)
}

async fn run(cli: Cli) -> anyhow::Result<()> {
    match cli.command {
        None => chaos::run(&cli.chaos).await,
        Some(Command::Payments { parts }) if parts.is_empty() => payments::run(&Part::ALL).await,
        Some(Command::Payments { parts }) => payments::run(&parts).await,
        Some(Command::Mails(settings)) => mails::run(&settings).await,
        Some(Command::Abuse(settings)) => abuse::run(&settings).await,
        Some(Command::Webhooks) => webhooks::measure().await,
        Some(Command::Rotate(settings)) => rollout::rotate(&settings).await,
        Some(Command::Upgrade(settings)) => rollout::upgrade(&settings).await,
    }
}
