//! The parts that every command, job and operator task of a worker uses.

use std::sync::Arc;

use guildhall_common::platform::{
    bus::{Broker, Publisher, Topology},
    cache::Cache,
    config::ServerSettings,
    db,
    object_store::ObjectStore,
};
use secrecy::ExposeSecret;
use sqlx::PgPool;
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use crate::{config::Settings, mailer::Mailer, providers::Providers};

/// The connections and the settings of a worker.
#[derive(Clone)]
pub struct App {
    pub database: PgPool,
    pub cache: Cache,
    pub broker: Broker,
    pub topology: Topology,
    pub publisher: Publisher,
    pub settings: Settings,
    /// None if the pictures stay in Postgres.
    pub(crate) objects: Option<ObjectStore>,
    pub(crate) services: ExternalServices,
    /// Notified when a job may be due.
    pub(crate) due: watch::Sender<()>,
    /// Cancelled when the process stops.
    pub stop: CancellationToken,
}

/// The services of others that the site uses.
#[derive(Clone)]
pub(crate) struct ExternalServices {
    pub(crate) providers: Providers,
    /// None if the site sends no mails.
    pub(crate) mailer: Option<Arc<Mailer>>,
}

impl App {
    /// Starts the connections. It does not wait for them.
    ///
    /// # Errors
    /// An address or a setting is invalid.
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
            objects: ObjectStore::new(&servers.objects, &servers.namespace)?,
            services: ExternalServices {
                providers: Providers::new(&settings.payments)?,
                mailer: Mailer::new(&settings.mail, &settings.site)?.map(Arc::new),
            },
            settings,
            due: watch::Sender::new(()),
            stop,
        })
    }
}
