//! The worker process: its connections, its tasks and its start.

use std::{sync::Arc, time::Duration};

use guildhall_common::{
    contract::{
        account::AccountCommand, game::GameCommand, guild::GuildCommand, news::NewsCommand,
        payment::PaymentCommand, shop::ShopCommand,
    },
    platform::{
        bus::{Broker, Publisher, Topology},
        cache::Cache,
        config::ServerSettings,
        db,
    },
};
use secrecy::ExposeSecret;
use sqlx::{Connection, PgConnection, PgPool};
use tokio::{sync::Notify, task::JoinSet, time::sleep};
use tokio_util::sync::CancellationToken;

use crate::{
    config::Settings,
    engine::{
        consumer::{self, Commands, Dead},
        outbox,
    },
    jobs,
    providers::Providers,
};

/// How long a worker that was told to stop may take to finish what it has in hand.
const STOP_WITHIN: Duration = Duration::from_secs(30);

/// What every part of the worker has at hand.
#[derive(Clone)]
pub struct App {
    pub database: PgPool,
    pub cache: Cache,
    pub broker: Broker,
    pub topology: Topology,
    pub publisher: Publisher,
    pub settings: Settings,
    pub(crate) providers: Providers,
    /// Told when a job may have become due.
    pub(crate) due: Arc<Notify>,
    /// Cancelled when the process shall end.
    pub stop: CancellationToken,
}

impl App {
    /// Starts the connections; waits for none of them.
    ///
    /// # Errors
    /// When an address cannot be understood.
    pub fn new(
        servers: &ServerSettings,
        settings: Settings,
        stop: CancellationToken,
    ) -> anyhow::Result<Self> {
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
            providers: Providers::new(&settings.payments)?,
            settings,
            due: Arc::default(),
            stop,
        })
    }

    /// Works until told to stop, and then finishes what is in hand.
    pub async fn work(self) {
        let stop = self.stop.clone();
        // Done by whoever dies last: not a reason to wait.
        let catching_up = tokio::spawn(self.cache.clone().retry_pending_invalidations(self.database.clone()));
        let mut work = JoinSet::new();
        work.spawn(consumer::run::<Commands<AccountCommand>>(self.clone()));
        work.spawn(consumer::run::<Commands<GameCommand>>(self.clone()));
        work.spawn(consumer::run::<Commands<GuildCommand>>(self.clone()));
        work.spawn(consumer::run::<Commands<NewsCommand>>(self.clone()));
        work.spawn(consumer::run::<Commands<PaymentCommand>>(self.clone()));
        work.spawn(consumer::run::<Commands<ShopCommand>>(self.clone()));
        work.spawn(consumer::run::<Dead>(self.clone()));
        work.spawn(outbox::relay(self.clone()));
        work.spawn(jobs::work(self));
        // What a server that is frozen holds up goes back to the queue with the connection.
        let patience = async {
            stop.cancelled().await;
            sleep(STOP_WITHIN).await;
        };
        tokio::select! {
            _ = work.join_all() => {}
            () = patience => tracing::warn!("not all work in hand was finished in time"),
        }
        catching_up.abort();
    }
}

/// Brings the database's schema up to date and declares the queues.
///
/// # Errors
/// When a server is away, or a queue exists with other arguments.
pub async fn migrate(servers: &ServerSettings) -> anyhow::Result<()> {
    // Not from the pool, whose statements have a time limit: a migration takes what it takes.
    let mut database = PgConnection::connect(servers.database_url.expose_secret()).await?;
    db::MIGRATIONS.run(&mut database).await?;
    jobs::schedule_recurring(&mut database).await?;
    let connection = Broker::new(servers.amqp_url.expose_secret())?.connect("migrate").await?;
    Topology::new(&servers.namespace).declare(&connection.create_channel().await?).await
}
