use std::process::ExitCode;

use clap::Parser;
use guildhall_common::platform::{config::exit_code, telemetry};
use guildhall_drills::{
    abuse, chaos,
    command_line::{Command, CommandLine},
    mails,
    panics::fail_on_panics,
    payments, rollout,
    stack::Part,
    webhooks,
};

#[tokio::main]
async fn main() -> ExitCode {
    telemetry::init_tls();
    exit_code(fail_on_panics(run(CommandLine::parse())).await)
}

async fn run(command_line: CommandLine) -> anyhow::Result<()> {
    match command_line.command {
        None => chaos::run(&command_line.chaos).await,
        Some(Command::Payments { parts }) if parts.is_empty() => payments::run(&Part::ALL).await,
        Some(Command::Payments { parts }) => payments::run(&parts).await,
        Some(Command::Mails(settings)) => mails::run(&settings).await,
        Some(Command::Abuse(settings)) => abuse::run(&settings).await,
        Some(Command::Webhooks) => webhooks::measure().await,
        Some(Command::Rotate(settings)) => rollout::rotate(&settings).await,
        Some(Command::Upgrade(settings)) => rollout::upgrade(&settings).await,
    }
}
