//! The workers' binary: it serves, and it has the commands of an operator.

mod cli;

use std::{path::PathBuf, process::ExitCode};

use clap::{Parser, Subcommand};
use guildhall_common::{
    contract::account::{AccountName, Email, StaffRole},
    platform::{
        config::{self, Logging, exit_code},
        health, telemetry,
    },
};
use guildhall_workers::{
    App,
    config::WorkersConfig,
    health::CheckedServers,
    migrate,
    operator::{accounts, cache, demo},
    site::queues,
};
use poem::{
    Server,
    listener::{Listener, TcpListener},
};
use tokio_util::sync::CancellationToken;

use crate::cli::{
    AppArgs, AuditCommand, CoinsCommand, DeadLettersCommand, PayloadCommand, RegisterWebhookCommand,
    ServiceTokenCommand,
};

/// The workers of Guildhall: they apply the commands that the API accepted. The other subcommands are for operators
#[derive(Parser)]
#[command(version)]
struct WorkersCli {
    #[command(flatten)]
    logging: Logging,
    #[command(subcommand)]
    command: WorkersCommand,
}

#[derive(Subcommand)]
enum WorkersCommand {
    /// Apply commands, relay events and run jobs
    Serve(WorkersConfig),
    /// Update the schema of the database, and declare the queues
    Migrate {
        /// The number of queues of each domain, over which its commands are spread. The default is 1 for a new site, and no
        /// change for another one. If a site has more workers, the number grows to theirs
        #[arg(long, env = "GUILDHALL_PARTITIONS", value_parser = clap::value_parser!(u16).range(1..=64))]
        partitions: Option<u16>,
        #[command(flatten)]
        app: AppArgs,
    },
    /// Create an account with all roles
    CreateAdmin {
        name: AccountName,
        email: Email,
        /// The password. The default is a random one, which is printed
        #[arg(long, env = "GUILDHALL_ADMIN_PASSWORD", hide_env_values = true)]
        password: Option<String>,
        #[command(flatten)]
        app: AppArgs,
    },
    /// Grant a role to an account
    Grant {
        name: AccountName,
        role: StaffRole,
        #[command(flatten)]
        app: AppArgs,
    },
    /// Revoke a role from an account
    Revoke {
        name: AccountName,
        role: StaffRole,
        #[command(flatten)]
        app: AppArgs,
    },
    /// Disable the second factor of an account whose owner has lost the app and the recovery codes
    DisableSecondFactor {
        name: AccountName,
        #[command(flatten)]
        app: AppArgs,
    },
    /// Manage the tokens of game servers
    ServiceToken {
        #[command(subcommand)]
        command: ServiceTokenCommand,
    },
    /// Erase texts of the audit log
    Audit {
        #[command(subcommand)]
        command: AuditCommand,
    },
    /// Manage messages that could not be processed
    DeadLetters {
        #[command(subcommand)]
        command: DeadLettersCommand,
    },
    /// Manage the price list of coins
    Coins {
        #[command(subcommand)]
        command: CoinsCommand,
    },
    /// Register the address to which the bank sends its notifications of Pix
    RegisterWebhook(RegisterWebhookCommand),
    /// Remove all cached responses of the site from Redis, after a restore of the database. Used captchas stay used
    FlushCache {
        #[command(flatten)]
        app: AppArgs,
    },
    /// List the queues of all partitions with the number of commands that wait in each
    Queues {
        #[command(flatten)]
        app: AppArgs,
    },
    /// Decode and encode the payloads of payment QR codes
    Payload {
        #[command(subcommand)]
        command: PayloadCommand,
    },
    /// Write all mails with example values into a folder, as pages and as texts
    PreviewMails {
        /// The folder. It is created
        folder: PathBuf,
        /// A folder with templates that replace the built-in ones
        #[arg(long, env = "GUILDHALL_MAIL_TEMPLATES")]
        templates: Option<PathBuf>,
    },
    /// Load a demo community into an empty database, and print its credentials
    Demo {
        #[command(flatten)]
        app: AppArgs,
    },
    /// Exit with 0 if the worker on this machine is ready
    Health {
        /// The address on which the worker listens
        #[arg(long, env = "GUILDHALL_WORKERS_LISTEN", default_value = "127.0.0.1:8081")]
        listen: std::net::SocketAddr,
    },
}

fn main() -> ExitCode {
    let cli = config::parse();
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(threads()).enable_all().build();
    exit_code(runtime.map_err(Into::into).and_then(|runtime| runtime.block_on(run(cli))))
}

/// A command is more work for Postgres and RabbitMQ than for the worker. Threads that compete with them for the processors make
/// all of them slower: with two processors, one thread applies 20 % more commands than two.
fn threads() -> usize {
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    (processors / 2).max(1)
}

async fn run(cli: WorkersCli) -> anyhow::Result<()> {
    let default_filter = if matches!(cli.command, WorkersCommand::Serve(_)) { "info" } else { "warn" };
    let _log = telemetry::init_logging(&cli.logging, default_filter)?;
    telemetry::init_tls();
    match cli.command {
        WorkersCommand::Serve(config) => serve(config).await,
        WorkersCommand::Migrate { partitions, app } => {
            migrate(&app.servers, partitions).await?;
            println!("the schema is up to date, and the queues are declared");
            Ok(())
        }
        WorkersCommand::CreateAdmin { name, email, password, app } => {
            create_admin(&app.start()?, &name, &email, password).await
        }
        WorkersCommand::Grant { name, role, app } => {
            accounts::set_role(&app.start()?, &name, role, true).await
        }
        WorkersCommand::Revoke { name, role, app } => {
            accounts::set_role(&app.start()?, &name, role, false).await
        }
        WorkersCommand::DisableSecondFactor { name, app } => {
            accounts::disable_second_factor(&app.start()?, &name).await
        }
        WorkersCommand::ServiceToken { command } => command.run().await,
        WorkersCommand::Audit { command } => command.run().await,
        WorkersCommand::DeadLetters { command } => command.run().await,
        WorkersCommand::Coins { command } => command.run().await,
        WorkersCommand::RegisterWebhook(command) => command.run().await,
        WorkersCommand::FlushCache { app } => flush_cache(&app.start()?).await,
        WorkersCommand::Queues { app } => {
            for (queue, messages) in queues::waiting_messages(&app.start()?).await? {
                println!("{queue}\t{messages}");
            }
            Ok(())
        }
        WorkersCommand::Payload { command } => command.run(),
        WorkersCommand::PreviewMails { folder, templates } => {
            let written = guildhall_workers::preview_mails(templates.as_deref(), &folder)?;
            println!("wrote {written} mails to {}", folder.display());
            Ok(())
        }
        WorkersCommand::Demo { app } => load_demo(&app.start()?).await,
        WorkersCommand::Health { listen } => health::check_ready(listen).await,
    }
}

async fn serve(config: WorkersConfig) -> anyhow::Result<()> {
    config::warn_about_removed_settings();
    // First: a counter that is created before it counts nothing.
    let metrics = telemetry::init_metrics()?;
    let app = App::new(&config.servers, config.settings, CancellationToken::new())?;
    let servers = CheckedServers {
        database: app.database.clone(),
        queue: app.publisher.clone(),
        cache: app.cache.clone(),
    };
    let routes = guildhall_workers::health::routes(servers, metrics);
    guildhall_workers::health::init_counters();
    let stop = app.stop.clone();
    tokio::spawn(async move {
        health::stop_signal().await;
        stop.cancel();
    });
    let listener = TcpListener::bind(config.listen).into_acceptor().await?;
    let health = tokio::spawn(Server::new_with_acceptor(listener).run(routes));
    tracing::info!(server.address = %config.listen, "worker started");
    app.work().await;
    health.abort();
    tracing::info!("worker stopped");
    Ok(())
}

async fn create_admin(
    app: &App,
    name: &AccountName,
    email: &Email,
    password: Option<String>,
) -> anyhow::Result<()> {
    let is_random = password.is_none();
    let password = password.unwrap_or_else(accounts::random_secret);
    accounts::create_admin(app, name, email, &password).await?;
    if is_random {
        println!("{password}");
    }
    Ok(())
}

async fn flush_cache(app: &App) -> anyhow::Result<()> {
    let removed = cache::flush(app).await?;
    println!("removed {removed} entries from the cache");
    Ok(())
}

async fn load_demo(app: &App) -> anyhow::Result<()> {
    print!("{}", demo::load(app).await?);
    Ok(())
}
