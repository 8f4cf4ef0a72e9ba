//! The program of `./dev bench`. The script starts the servers; this program starts the api and the workers, measures, and
//! prints the report.

mod bench;
mod case;
mod cases;
mod delay;
mod environment;
mod floor;
mod floors;
mod large;
mod load;
mod measure;
mod processes;
mod report;
mod rounds;
mod scaling;
mod services;
mod settings;
mod site;
mod statistics;
mod wrk;

use std::process::ExitCode;

use clap::{Parser, Subcommand};
use guildhall_common::platform::{config::exit_code, telemetry};

/// Measure a site, and compare it with the floors of this machine
#[derive(Parser)]
#[command(name = "./dev bench", bin_name = "./dev bench", version)]
struct BenchCommandLine {
    #[command(flatten)]
    settings: settings::BenchSettings,

    #[command(subcommand)]
    command: Option<BenchCommand>,
}

#[derive(Subcommand)]
enum BenchCommand {
    /// Run the program of a floor
    #[command(subcommand, hide = true)]
    Floor(floors::FloorProgram),
}

// The floors have the allocator of the api.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

#[tokio::main]
async fn main() -> ExitCode {
    telemetry::init_tls();
    let cli = BenchCommandLine::parse();
    exit_code(match &cli.command {
        Some(BenchCommand::Floor(program)) => program.run().await,
        None => bench::run(&cli.settings).await,
    })
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;
    use guildhall_testkit::help;

    use super::BenchCommandLine;

    #[test]
    fn the_help_file_is_up_to_date() -> anyhow::Result<()> {
        help::check(BenchCommandLine::command(), concat!(env!("CARGO_MANIFEST_DIR"), "/help.txt"))
    }
}
