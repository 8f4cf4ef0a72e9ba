use std::{process::ExitCode, time::Duration};

use clap::{Parser, Subcommand};
use guildhall_api::{State, app, config::Config, document};
use guildhall_common::{
    config::{self, Logging, report},
    health, telemetry,
};
use poem::{Server, listener::TcpListener};

/// Guildhall's front service: the HTTP API of a game community's website
#[derive(Parser)]
#[command(version)]
struct Cli {
    #[command(flatten)]
    logging: Logging,
    #[command(subcommand)]
    run: Run,
}

#[derive(Subcommand)]
enum Run {
    /// Serve the API
    Serve(Box<Config>),
    /// Print the OpenAPI document
    Openapi,
    /// Exit with 0 if the service on this machine is ready
    Health {
        /// Where it listens
        #[arg(long, env = "GUILDHALL_API_LISTEN", default_value = "127.0.0.1:8080")]
        listen: std::net::SocketAddr,
    },
}

#[tokio::main]
async fn main() -> ExitCode {
    report(run(config::parse()).await)
}

async fn run(cli: Cli) -> anyhow::Result<()> {
    match cli.run {
        Run::Serve(config) => {
            telemetry::log(&cli.logging, "info")?;
            serve(&config).await
        }
        Run::Openapi => {
            println!("{}", document());
            Ok(())
        }
        Run::Health { listen } => health::check(listen).await,
    }
}

async fn serve(config: &Config) -> anyhow::Result<()> {
    telemetry::tls();
    let metrics = telemetry::metrics()?;
    let state = State::new(config)?;
    tracing::info!(server.address = %config.listen, "serving");
    Server::new(TcpListener::bind(config.listen))
        .name("guildhall-api")
        .idle_timeout(Duration::from_secs(75))
        .run_with_graceful_shutdown(
            app(&state, metrics),
            async {
                health::stopped().await;
                state.leave();
                tokio::time::sleep(Duration::from_secs(config.leave_seconds)).await;
                state.stop();
            },
            Some(Duration::from_secs(20)),
        )
        .await?;
    tracing::info!("stopped");
    Ok(())
}
