use std::{hint::black_box, process::ExitCode, time::Duration};

use clap::{Parser, Subcommand};
use guildhall_api::{
    State, app,
    config::Config,
    document,
    server::{self, Server, ServingThread},
};
use guildhall_common::platform::{
    config::{self, Logging, exit_code},
    health, telemetry,
};
use tokio::runtime::Handle;

/// The api of Guildhall: the HTTP API of a game community's website
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
    /// Exit with 0 if the api at an address is ready
    Health {
        /// The address and port of the api
        #[arg(long, env = "GUILDHALL_API_LISTEN", default_value = "127.0.0.1:8080")]
        listen: std::net::SocketAddr,
    },
}

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

// The main thread is one of the threads that serve connections: `ServingThread` starts the others.
#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    exit_code(run(config::parse()).await)
}

async fn run(cli: Cli) -> anyhow::Result<()> {
    match cli.run {
        Run::Serve(config) => {
            let _log = telemetry::init_logging(&cli.logging, "info")?;
            serve(*config).await
        }
        Run::Openapi => {
            println!("{}", document());
            Ok(())
        }
        Run::Health { listen } => health::check_ready(listen).await,
    }
}

async fn serve(mut config: Config) -> anyhow::Result<()> {
    telemetry::init_tls();
    let metrics = telemetry::init_metrics()?;
    config.connections = server::connection_limit(config.connections)?;
    let state = State::new(&config)?;
    tokio::spawn(return_freed_memory());
    let threads = ServingThread::start_all()?;
    let mut servers = vec![Server::new(app(state.clone(), metrics.clone()), Handle::current())];
    servers.extend(threads.iter().map(ServingThread::runtime).map(|runtime| {
        let state = state.with_cache_connection_on(runtime);
        Server::new(app(state, metrics.clone()), runtime.clone())
    }));
    let listener = server::listen(config.listen)?;
    tracing::info!(server.address = %config.listen, connections = config.connections, "server started");
    let stop = async {
        health::stop_signal().await;
        state.drain();
        tokio::time::sleep(Duration::from_secs(config.drain_seconds)).await;
        state.stop();
    };
    server::serve(listener, servers, state.connection_limits(), stop).await;
    tracing::info!("server stopped");
    Ok(())
}

/// Lets the allocator return freed memory to the system, such as the 19 MiB of a password hash. mimalloc returns it when a large block
/// is freed more than a second later, and a process without requests frees none.
async fn return_freed_memory() {
    const LARGE_BLOCK: usize = 32 << 20;
    loop {
        tokio::time::sleep(Duration::from_secs(1)).await;
        // Its pages are never written, so it uses no memory itself.
        drop(black_box(Vec::<u8>::with_capacity(LARGE_BLOCK)));
    }
}
