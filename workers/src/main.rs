use std::process::ExitCode;

use anyhow::Context;
use clap::{Parser, Subcommand};
use guildhall_common::{
    account::{AccountName, Email},
    config::{self, Logging, Servers, report},
    health, telemetry,
};
use guildhall_workers::{
    Site,
    admin::{self, GivenRole},
    config::{Config, Settings},
    dead_letters, demo, migrate,
};
use poem::{
    Server,
    listener::{Listener, TcpListener},
};
use tokio_util::sync::CancellationToken;

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

#[derive(Subcommand)]
enum ServiceToken {
    /// Make one and print it; it cannot be printed again
    Create {
        name: String,
        #[command(flatten)]
        with: With,
    },
    /// List them
    List {
        #[command(flatten)]
        with: With,
    },
    /// Make one good for nothing
    Revoke {
        name: String,
        #[command(flatten)]
        with: With,
    },
}

#[derive(Subcommand)]
enum DeadLetters {
    /// List them, oldest first
    List {
        #[command(flatten)]
        with: With,
    },
    /// Show one with its whole message
    Show {
        id: i64,
        #[command(flatten)]
        with: With,
    },
    /// Put some back into their queues
    Replay {
        #[arg(required = true)]
        ids: Vec<i64>,
        #[command(flatten)]
        with: With,
    },
    /// Forget some for good
    Discard {
        #[arg(required = true)]
        ids: Vec<i64>,
        #[command(flatten)]
        with: With,
    },
}

#[derive(clap::Args)]
struct With {
    #[command(flatten)]
    servers: Servers,
    #[command(flatten)]
    settings: Settings,
}

impl With {
    fn site(self) -> anyhow::Result<Site> {
        Site::new(&self.servers, self.settings, CancellationToken::new())
    }
}

#[tokio::main]
async fn main() -> ExitCode {
    report(run(config::parse()).await)
}

async fn run(cli: Cli) -> anyhow::Result<()> {
    let serves = matches!(cli.run, Run::Serve(_));
    telemetry::log(&cli.logging, if serves { "info" } else { "warn" })?;
    telemetry::tls();
    match cli.run {
        Run::Serve(config) => {
            let site = Site::new(&config.servers, config.settings, CancellationToken::new())?;
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
        Run::Grant { name, role, with } => admin::set_role(&with.site()?, &name, role, true).await,
        Run::Revoke { name, role, with } => admin::set_role(&with.site()?, &name, role, false).await,
        Run::ServiceToken { what } => service_token(what).await,
        Run::DeadLetters { what } => dead_letters(what).await,
        Run::Demo { with } => {
            match demo::load(&with.site()?).await? {
                Some(credentials) => println!("{credentials}"),
                None => eprintln!("there are accounts already: nothing was loaded"),
            }
            Ok(())
        }
        Run::Health { listen } => health::check(listen).await,
    }
}

async fn serve(site: Site, listen: std::net::SocketAddr) -> anyhow::Result<()> {
    let routes = guildhall_workers::health::routes(site.clone(), telemetry::metrics()?);
    let stop = site.stop.clone();
    tokio::spawn(async move {
        health::stopped().await;
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
    site: &Site,
    name: &AccountName,
    email: &Email,
    password: Option<String>,
) -> anyhow::Result<()> {
    let made = password.is_none();
    let password = password.unwrap_or_else(admin::random_secret);
    let mut connection = site.database.acquire().await?;
    admin::create_account(&mut connection, name, email, &password, &[GivenRole::Admin]).await?;
    if made {
        println!("{password}");
    }
    Ok(())
}

async fn service_token(what: ServiceToken) -> anyhow::Result<()> {
    match what {
        ServiceToken::Create { name, with } => {
            let mut connection = with.site()?.database.acquire().await?;
            println!("{}", admin::create_service_token(&mut connection, &name).await?);
        }
        ServiceToken::List { with } => {
            for token in admin::service_tokens(&with.site()?).await? {
                let state = token.revoked_at.map_or("good".to_owned(), |at| format!("revoked {at}"));
                println!("{}\tmade {}\t{state}", token.name, token.created_at);
            }
        }
        ServiceToken::Revoke { name, with } => admin::revoke_service_token(&with.site()?, &name).await?,
    }
    Ok(())
}

async fn dead_letters(what: DeadLetters) -> anyhow::Result<()> {
    match what {
        DeadLetters::List { with } => {
            for letter in dead_letters::list(&with.site()?.database).await? {
                println!(
                    "{}\t{}\t{}\t{}",
                    letter.dead_letter_id, letter.died_at, letter.queue, letter.reason
                );
            }
        }
        DeadLetters::Show { id, with } => {
            let letter = dead_letters::find(&with.site()?.database, id).await?;
            println!("queue:  {}\ndied:   {}\nreason: {}\n", letter.queue, letter.died_at, letter.reason);
            println!("{}", String::from_utf8_lossy(&letter.body));
        }
        DeadLetters::Replay { ids, with } => {
            let site = with.site()?;
            tokio::time::timeout(std::time::Duration::from_secs(10), site.publisher.ready())
                .await
                .context("RabbitMQ cannot be reached")?;
            for id in ids {
                dead_letters::replay(&site.database, &site.publisher, id).await?;
                println!("replayed {id}");
            }
        }
        DeadLetters::Discard { ids, with } => {
            let site = with.site()?;
            for id in ids {
                dead_letters::discard(&site.database, id).await?;
                println!("discarded {id}");
            }
        }
    }
    Ok(())
}
