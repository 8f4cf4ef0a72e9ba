use std::{hint::black_box, process::ExitCode, time::Duration};

use clap::{Parser, Subcommand};
use guildhall_api::{
    State, app,
    config::ApiConfig,
    document,
    health::{self, ThreadCheck},
    server::{self, Server, ServingThread},
};
use guildhall_common::platform::{
    config::{self, Logging, exit_code},
    health::{check_ready, stop_signal},
    telemetry,
};
use poem::listener::{Listener, TcpListener};
use tokio::runtime::Handle;

/// The api of Guildhall: the HTTP API of a game community's website
#[derive(Parser)]
#[command(version)]
struct ApiCli {
    #[command(flatten)]
    logging: Logging,
    #[command(subcommand)]
    run: Run,
}

#[derive(Subcommand)]
enum Run {
    /// Serve the API
    Serve(Box<ApiConfig>),
    /// Print the OpenAPI document
    Openapi,
    /// Exit with 0 if the api at an address is ready
    Health {
        /// The address of its health checks
        #[arg(long, env = "GUILDHALL_API_HEALTH_LISTEN", default_value = "127.0.0.1:8083")]
        listen: std::net::SocketAddr,
    },
}

/// A thread that runs no task for this time serves no requests. The main thread, which is one of them, responds to the health checks.
const LONGEST_BLOCK: Duration = Duration::from_secs(3);

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

// The main thread is one of the threads that serve connections: `ServingThread` starts the others.
#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    exit_code(run(config::parse()).await)
}

async fn run(cli: ApiCli) -> anyhow::Result<()> {
    match cli.run {
        Run::Serve(config) => {
            let _log = telemetry::init_logging(&cli.logging, "info")?;
            serve(*config).await
        }
        Run::Openapi => {
            println!("{}", document());
            Ok(())
        }
        Run::Health { listen } => check_ready(listen).await,
    }
}

async fn serve(mut config: ApiConfig) -> anyhow::Result<()> {
    config::warn_about_removed_settings();
    telemetry::init_tls();
    let metrics = telemetry::init_metrics()?;
    let connections = &mut config.connections;
    connections.total = server::connection_limit(connections.total)?;
    let state = State::new(&config)?;
    tokio::spawn(return_freed_memory());
    let threads = ServingThread::start_all()?;
    let mut servers = vec![Server::new(app(state.clone()), Handle::current())];
    servers.extend(threads.iter().map(ServingThread::runtime).map(|runtime| {
        let state = state.with_cache_connection_on(runtime);
        Server::new(app(state), runtime.clone())
    }));
    let check = ThreadCheck {
        runtimes: threads.iter().map(|thread| thread.runtime().clone()).collect(),
        time_limit: LONGEST_BLOCK,
    };
    let listener = TcpListener::bind(config.connections.health_listen).into_acceptor().await?;
    let routes = health::routes(state.clone(), check, metrics);
    let health = tokio::spawn(poem::Server::new_with_acceptor(listener).run(routes));
    let listener = server::listen(config.connections.listen)?;
    tracing::info!(server.address = %config.connections.listen, connections = config.connections.total, "server started");
    let stop = async {
        stop_signal().await;
        state.drain();
        tokio::time::sleep(Duration::from_secs(config.connections.drain_seconds)).await;
        state.stop();
    };
    server::serve(listener, servers, state.connection_limits(), stop).await;
    health.abort();
    tracing::info!("server stopped");
    Ok(())
}

/// Lets the allocator return freed memory to the system, such as the 19 MiB of a password hash. mimalloc returns it when a large block
/// is freed more than a second later, and a process without requests frees none. `mi_collect` has the same effect, but only unsafe code
/// can call it. With `MIMALLOC_PURGE_DELAY=0`, memory returns immediately, and a burst of allocations needs twice the processor time.
async fn return_freed_memory() {
    const LARGE_BLOCK: usize = 32 << 20;
    loop {
        tokio::time::sleep(Duration::from_secs(1)).await;
        // Its pages are never written, so it uses no memory itself.
        drop(black_box(Vec::<u8>::with_capacity(LARGE_BLOCK)));
    }
}
