//! The state that all endpoints and the middleware share.

use std::{sync::Arc, time::Duration};

use anyhow::Context;
use chrono::TimeDelta;
use guildhall_common::platform::{
    bus::{Broker, Events, Publisher, Replies, Topology},
    cache::Cache,
    db,
};
use ipnet::IpNet;
use secrecy::ExposeSecret;
use sqlx::PgPool;
use tokio_util::sync::CancellationToken;

use crate::{
    auth::{access_token::AccessTokens, keys::Secret, password::Passwords},
    commands::Commands,
    config::Config,
    middleware::{LargeBodySlots, RateLimits},
    payments::{providers::Webhooks, streams::Streams},
};

/// The connections and settings of the process.
#[derive(Clone)]
pub struct State {
    pub(crate) database: PgPool,
    pub(crate) cache: Cache,
    pub(crate) commands: Commands,
    pub(crate) tokens: AccessTokens,
    pub(crate) refresh_lifetime: TimeDelta,
    pub(crate) passwords: Passwords,
    pub(crate) rate_limits: Arc<RateLimits>,
    pub(crate) large_bodies: LargeBodySlots,
    pub(crate) webhooks: Webhooks,
    pub(crate) events: Events,
    pub(crate) streams: Streams,
    /// Cancelled when new requests shall go to another process.
    pub(crate) leaving: CancellationToken,
    /// Cancelled when the process shall end: whoever waits is told to come again.
    pub(crate) stop: CancellationToken,
    pub(crate) cors_origins: Arc<[String]>,
    pub(crate) trusted_proxies: Arc<[IpNet]>,
}

impl State {
    /// Starts the connections; waits for none of them.
    ///
    /// # Errors
    /// When a setting cannot be used.
    pub fn new(config: &Config) -> anyhow::Result<Self> {
        let Config { servers, .. } = config;
        let secret: Secret =
            config.secret.expose_secret().parse().context("GUILDHALL_SECRET cannot be used")?;
        let database =
            db::pool(servers.database_url.expose_secret(), servers.database_connections, "guildhall-api")?;
        let cache = Cache::start(servers.redis_url.expose_secret(), &servers.namespace)?;
        tokio::spawn(cache.lease().clone().keep_renewed(database.clone()));
        let broker = Broker::new(servers.amqp_url.expose_secret())?;
        let topology = Topology::new(&servers.namespace);
        let rate_limits = Arc::new(RateLimits::new(config.requests_per_minute, config.log_ins_per_minute));
        tokio::spawn(rate_limits.clone().tidy());
        Ok(Self {
            tokens: AccessTokens::new(&secret, Duration::from_secs(config.access_token_minutes * 60)),
            refresh_lifetime: TimeDelta::days(config.session_days.into()),
            passwords: Passwords::new()?,
            rate_limits,
            large_bodies: LargeBodySlots::default(),
            webhooks: Webhooks::new(&config.providers)?,
            streams: Streams::default(),
            leaving: CancellationToken::new(),
            stop: CancellationToken::new(),
            events: Events::start(broker.clone(), topology.clone(), &["payment.#", "delivery.ready"]),
            cors_origins: config.cors_origins.clone().into(),
            trusted_proxies: config.trusted_proxies.clone().into(),
            commands: Commands {
                publisher: Publisher::start(broker.clone(), topology.clone()),
                replies: Replies::start(broker),
                topology,
                database: database.clone(),
                cache: cache.clone(),
                secret: Arc::new(secret),
                wait: Duration::from_secs(config.command_wait),
            },
            database,
            cache,
        })
    }
}

impl State {
    /// Tells the proxy in front, when it asks `/healthz`, to send nobody here any more.
    pub fn leave(&self) {
        self.leaving.cancel();
    }

    /// Ends what would go on for long: event streams and long polls.
    pub fn stop(&self) {
        self.stop.cancel();
    }
}
