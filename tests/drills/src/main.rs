use std::process::ExitCode;

use clap::Parser;
use guildhall_common::platform::{config::exit_code, telemetry};
use guildhall_drills::{
    abuse, chaos,
    command_line::{CommandLine, DrillCommand},
    mails,
    panics::fail_on_panics,
    payments,
    process::Part,
    rollout, webhooks,
};

#[tokio::main]
async fn main() -> ExitCode {
    telemetry::init_tls();
    exit_code(fail_on_panics(run(CommandLine::parse())).await)
}

async fn run(command_line: CommandLine) -> anyhow::Result<()> {
    match command_line.command {
        None => chaos::run(&command_line.chaos).await,
        Some(DrillCommand::Payments { parts }) if parts.is_empty() => payments::run(&Part::ALL).await,
        Some(DrillCommand::Payments { parts }) => payments::run(&parts).await,
        Some(DrillCommand::Mails(settings)) => mails::run(&settings).await,
        Some(DrillCommand::Abuse(settings)) => abuse::run(&settings).await,
        Some(DrillCommand::Webhooks) => webhooks::measure().await,
        Some(DrillCommand::Rotate(settings)) => rollout::rotate(&settings).await,
        Some(DrillCommand::Upgrade(settings)) => rollout::upgrade(&settings).await,
    }
}
