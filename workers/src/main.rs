mod cli;

use std::process::ExitCode;

use clap::{Parser, Subcommand};
use guildhall_common::{
    contract::account::{AccountName, Email},
    platform::{
        config::{self, Logging, exit_code},
        health, telemetry,
    },
};
use guildhall_workers::{
    App,
    config::Config,
    migrate,
    operator::{
        accounts::{self, GivenRole},
        demo,
    },
    payments::register_webhook,
};
use poem::{
    Server,
    listener::{Listener, TcpListener},
};
use tokio_util::sync::CancellationToken;

use crate::cli::{Coins, DeadLetters, Payload, ServiceToken, With};

/// Guildhall's workers: apply what the API accepted, and what an operator does by hand
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
    /// Apply commands, relay events, do what is due
    Serve(Config),
    /// Bring the database's schema up to date and declare the queues
    Migrate {
        #[command(flatten)]
        with: With,
    },
    /// Open an account that may do everything
    CreateAdmin {
        name: AccountName,
        email: Email,
        /// Without it, one is made and printed
        #[arg(long, env = "GUILDHALL_ADMIN_PASSWORD", hide_env_values = true)]
        password: Option<String>,
        #[command(flatten)]
        with: With,
    },
    /// Give an account a role
    Grant {
        name: AccountName,
        role: GivenRole,
        #[command(flatten)]
        with: With,
    },
    /// Take a role from an account
    Revoke {
        name: AccountName,
        role: GivenRole,
        #[command(flatten)]
        with: With,
    },
    /// Tokens of game servers
    ServiceToken {
        #[command(subcommand)]
        what: ServiceToken,
    },
    /// Messages that were put aside
    DeadLetters {
        #[command(subcommand)]
        what: DeadLetters,
    },
    /// What coins cost
    Coins {
        #[command(subcommand)]
        what: Coins,
    },
    /// Tell the bank where to send its notifications of Pix
    RegisterWebhook {
        /// The api's address as the bank sees it, with the secret:
        /// https://example.org/payments/instant/webhook?secret=…
        url: String,
        #[command(flatten)]
        with: With,
    },
    /// Read and write what payment QR codes say
    Payload {
        #[command(subcommand)]
        what: Payload,
    },
    /// Load a demo community into an empty database and print what to sign in with
    Demo {
        #[command(flatten)]
        with: With,
    },
    /// Exit with 0 if the worker on this machine is ready
    Health {
        /// Where it listens
        #[arg(long, env = "GUILDHALL_WORKERS_LISTEN", default_value = "127.0.0.1:8081")]
        listen: std::net::SocketAddr,
    },
}

#[tokio::main]
async fn main() -> ExitCode {
    exit_code(run(config::parse()).await)
}

async fn run(cli: Cli) -> anyhow::Result<()> {
    let serves = matches!(cli.run, Run::Serve(_));
    telemetry::init_logging(&cli.logging, if serves { "info" } else { "warn" })?;
    telemetry::init_tls();
    match cli.run {
        Run::Serve(config) => {
            let site = App::new(&config.servers, config.settings, CancellationToken::new())?;
            serve(site, config.listen).await
        }
        Run::Migrate { with } => {
            migrate(&with.servers).await?;
            println!("the schema is up to date, the queues are declared");
            Ok(())
        }
        Run::CreateAdmin { name, email, password, with } => {
            create_admin(&with.site()?, &name, &email, password).await
        }
        Run::Grant { name, role, with } => accounts::set_role(&with.site()?, &name, role, true).await,
        Run::Revoke { name, role, with } => accounts::set_role(&with.site()?, &name, role, false).await,
        Run::ServiceToken { what } => what.run().await,
        Run::DeadLetters { what } => what.run().await,
        Run::Coins { what } => what.run().await,
        Run::RegisterWebhook { url, with } => {
            register_webhook(&with.site()?, &url).await?;
            println!("the bank sends its notifications there");
            Ok(())
        }
        Run::Payload { what } => what.run(),
        Run::Demo { with } => {
            match demo::load(&with.site()?).await? {
                Some(credentials) => print!("{credentials}"),
                None => eprintln!("there are accounts already: nothing was loaded"),
            }
            Ok(())
        }
        Run::Health { listen } => health::check_ready(listen).await,
    }
}

async fn serve(site: App, listen: std::net::SocketAddr) -> anyhow::Result<()> {
    let routes = guildhall_workers::health::routes(site.clone(), telemetry::init_metrics()?);
    guildhall_workers::health::begin_to_count();
    let stop = site.stop.clone();
    tokio::spawn(async move {
        health::stop_signal().await;
        stop.cancel();
    });
    let listener = TcpListener::bind(listen).into_acceptor().await?;
    let health = tokio::spawn(Server::new_with_acceptor(listener).run(routes));
    tracing::info!(server.address = %listen, "working");
    site.work().await;
    health.abort();
    tracing::info!("stopped");
    Ok(())
}

async fn create_admin(
    site: &App,
    name: &AccountName,
    email: &Email,
    password: Option<String>,
) -> anyhow::Result<()> {
    let made = password.is_none();
    let password = password.unwrap_or_else(accounts::random_secret);
    accounts::create_admin(site, name, email, &password).await?;
    if made {
        println!("{password}");
    }
    Ok(())
}
