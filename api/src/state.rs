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
    http::{large_bodies::LargeBodySlots, rate_limits::RateLimits},
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
    /// Cancelled when a proxy must send new requests to another process.
    pub(crate) draining: CancellationToken,
    /// Cancelled when the process stops. Event streams and long polls then end.
    pub(crate) stop: CancellationToken,
    pub(crate) cors_origins: Arc<[String]>,
    pub(crate) trusted_proxies: Arc<[IpNet]>,
}

impl State {
    /// Starts to connect to the servers. It does not wait for a connection.
    ///
    /// # Errors
    /// A setting is invalid.
    pub fn new(config: &Config) -> anyhow::Result<Self> {
        let Config { servers, .. } = config;
        let secret: Secret = config.secret.expose_secret().parse().context("GUILDHALL_SECRET is invalid")?;
        let database =
            db::pool(servers.database_url.expose_secret(), servers.database_connections, "guildhall-api")?;
        let cache = Cache::start(servers.redis_url.expose_secret(), &servers.namespace)?;
        tokio::spawn(cache.lease().clone().keep_renewed(database.clone()));
        let broker = Broker::new(servers.amqp_url.expose_secret())?;
        let topology = Topology::new(&servers.namespace);
        let rate_limits = Arc::new(RateLimits::new(config.requests_per_minute, config.log_ins_per_minute));
        tokio::spawn(rate_limits.clone().remove_inactive());
        Ok(Self {
            tokens: AccessTokens::new(&secret, Duration::from_secs(config.access_token_minutes * 60)),
            refresh_lifetime: TimeDelta::days(config.session_days.into()),
            passwords: Passwords::new()?,
            rate_limits,
            large_bodies: LargeBodySlots::default(),
            webhooks: Webhooks::new(&config.providers)?,
            streams: Streams::default(),
            draining: CancellationToken::new(),
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

    /// Lets `/healthz` respond 503, so that a proxy sends new requests to another process.
    pub fn drain(&self) {
        self.draining.cancel();
    }

    /// Ends event streams and long polls.
    pub fn stop(&self) {
        self.stop.cancel();
    }
}
