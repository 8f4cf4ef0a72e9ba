//! Applies the commands: one consumer per domain, the outbox relay, the jobs.

mod account;
pub mod admin;
mod apply;
mod consume;
pub mod dead_letters;
pub mod demo;
mod game;
mod guild;
pub mod health;
pub mod jobs;
mod news;
mod outbox;
mod rule;
mod shop;

use chrono::TimeDelta;
use clap::Args;
use consume::{Commands, Dead};
use guildhall_common::{
    account::AccountCommand,
    bus::{Broker, Publisher, Topology},
    cache::Cache,
    config::Servers,
    db,
    game::GameCommand,
    guild::GuildCommand,
    news::NewsCommand,
    shop::ShopCommand,
};
use secrecy::ExposeSecret;
use sqlx::PgPool;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

/// What a community may set of the rules.
#[derive(Debug, Clone, Args)]
pub struct Settings {
    /// Level that a character needs to found a guild
    #[arg(long, env = "GUILDHALL_GUILD_MINIMUM_LEVEL", default_value_t = 8)]
    pub guild_minimum_level: i32,

    /// Most members of a guild
    #[arg(long, env = "GUILDHALL_GUILD_MEMBER_CAP", default_value_t = 100)]
    pub guild_member_cap: i64,

    /// Days after which an invite to a guild expires
    #[arg(long = "guild-invite-days", env = "GUILDHALL_GUILD_INVITE_DAYS", default_value = "30", value_parser = days)]
    pub guild_invite_lifetime: TimeDelta,

    /// Whether a character must be offline to create, join or leave a guild or change its rank there
    #[arg(long, env = "GUILDHALL_GUILD_OFFLINE_REQUIRED", default_value_t = true, action = clap::ArgAction::Set)]
    pub guild_offline_required: bool,

    /// Most characters of an account
    #[arg(long, env = "GUILDHALL_CHARACTERS_PER_ACCOUNT", default_value_t = 20)]
    pub characters_per_account: i64,

    /// Days for which the outcome of an operation is kept, and its Idempotency-Key with it
    #[arg(long = "operations-kept-days", env = "GUILDHALL_OPERATIONS_KEPT_DAYS", default_value = "30", value_parser = days)]
    pub operations_kept: TimeDelta,
}

fn days(text: &str) -> Result<TimeDelta, String> {
    let days = text.parse().map_err(|_| "must be a whole number of days".to_owned())?;
    TimeDelta::try_days(days)
        .filter(|days| *days > TimeDelta::zero())
        .ok_or_else(|| "must be at least 1".to_owned())
}

/// What every part of the worker has at hand.
#[derive(Clone)]
pub struct Site {
    pub database: PgPool,
    pub cache: Cache,
    pub broker: Broker,
    pub topology: Topology,
    pub publisher: Publisher,
    pub settings: Settings,
    /// Cancelled when the process shall end.
    pub stop: CancellationToken,
}

impl Site {
    /// Starts the connections; waits for none of them.
    ///
    /// # Errors
    /// When an address cannot be understood.
    pub fn new(servers: &Servers, settings: Settings, stop: CancellationToken) -> anyhow::Result<Self> {
        let broker = Broker::new(servers.amqp_url.expose_secret())?;
        let topology = Topology::new(&servers.namespace);
        Ok(Self {
            database: db::pool(
                servers.database_url.expose_secret(),
                servers.database_connections,
                "guildhall-workers",
            )?,
            cache: Cache::start(servers.redis_url.expose_secret(), &servers.namespace)?,
            publisher: Publisher::start(broker.clone(), topology.clone()),
            broker,
            topology,
            settings,
            stop,
        })
    }

    /// Brings the database's schema up to date and declares the queues.
    ///
    /// # Errors
    /// When a server is away, or a queue exists with other arguments.
    pub async fn migrate(&self) -> anyhow::Result<()> {
        db::MIGRATIONS.run(&self.database).await?;
        jobs::schedule_recurring(&self.database).await?;
        let connection = self.broker.connect("migrate").await?;
        self.topology.declare(&connection.create_channel().await?).await
    }

    /// Works until told to stop, and then finishes what is in hand.
    pub async fn work(self) {
        // Done by whoever dies last: not a reason to wait.
        let catching_up = tokio::spawn(self.cache.clone().catch_up(self.database.clone()));
        let mut work = JoinSet::new();
        work.spawn(consume::run::<Commands<AccountCommand>>(self.clone()));
        work.spawn(consume::run::<Commands<GameCommand>>(self.clone()));
        work.spawn(consume::run::<Commands<GuildCommand>>(self.clone()));
        work.spawn(consume::run::<Commands<NewsCommand>>(self.clone()));
        work.spawn(consume::run::<Commands<ShopCommand>>(self.clone()));
        work.spawn(consume::run::<Dead>(self.clone()));
        work.spawn(outbox::relay(self.clone()));
        work.spawn(jobs::work(self));
        work.join_all().await;
        catching_up.abort();
    }
}
