//! The state that all endpoints and the middleware share.

use std::{sync::Arc, time::Duration};

use anyhow::Context;
use chrono::TimeDelta;
use guildhall_common::platform::{
    bus::{Broker, Events, Publisher, Replies, Topology},
    cache::Cache,
    config::LanguageTag,
    db,
    object_store::ObjectStore,
    partitions::{self, QueueWaits},
    site_url::SiteUrl,
};
use secrecy::ExposeSecret;
use sqlx::PgPool;
use tokio::runtime::Handle;
use tokio_util::sync::CancellationToken;

use crate::{
    auth::{access_token::AccessTokens, keys::Secrets, log_in_limits::LogInLimits, password::Passwords},
    captcha::required_captcha::Captchas,
    commands::{Commands, Pace},
    config::ApiConfig,
    http::{
        api_refusal::ApiRefusal, body_slots::BodySlots, client_address::TrustedProxies,
        cors_origins::CorsOrigins, list::Lists, problem::Problem, rate_limits::RateLimits,
        stream_limits::StreamLimits,
    },
    pictures::pool::PicturePool,
    providers::Webhooks,
    server::ConnectionLimits,
};

/// The events that end or feed the streams and long polls of this process.
const LIVE_EVENTS: [&str; 4] = ["payment.#", "delivery.ready", "account.sessions_ended", "game.changed"];

/// The connections and settings of the process.
#[derive(Clone)]
pub struct State {
    pub(crate) database: PgPool,
    pub(crate) cache: Cache,
    pub(crate) lists: Lists,
    /// None if the pictures are in Postgres.
    pub(crate) objects: Option<ObjectStore>,
    pub(crate) commands: Commands,
    pub(crate) tokens: AccessTokens,
    pub(crate) refresh_lifetime: TimeDelta,
    pub(crate) passwords: Passwords,
    pub(crate) pictures: PicturePool,
    pub(crate) captchas: Captchas,
    pub(crate) rate_limits: Arc<RateLimits>,
    pub(crate) log_in_limits: Arc<LogInLimits>,
    /// The request bodies that are received at the moment.
    pub(crate) bodies: BodySlots,
    pub(crate) webhooks: Webhooks,
    pub(crate) events: Events,
    pub(crate) stream_limits: StreamLimits,
    /// Cancelled when a proxy must send new requests to another process.
    pub(crate) draining: CancellationToken,
    /// Cancelled when the process stops. Event streams and long polls then end.
    pub(crate) stop: CancellationToken,
    pub(crate) cors_origins: CorsOrigins,
    pub(crate) site_name: Arc<str>,
    pub(crate) site_language: LanguageTag,
    pub(crate) site_url: Option<SiteUrl>,
    /// Whether roles need a second factor.
    pub(crate) second_factor_required: bool,
    pub(crate) trusted_proxies: TrustedProxies,
    connections: usize,
    connections_per_address: usize,
}

impl State {
    /// Starts to connect to the servers. It does not wait for a connection.
    ///
    /// # Errors
    /// A setting is invalid.
    pub fn new(config: &ApiConfig) -> anyhow::Result<Self> {
        let ApiConfig { servers, site, sessions, limits, .. } = config;
        let secrets = Arc::new(Secrets::new(&sessions.secrets).context("GUILDHALL_SECRET is invalid")?);
        let database = db::pool_for_lists(
            servers.database_url.expose_secret(),
            servers.database_connections,
            "guildhall-api",
        )?;
        let cache = Cache::start(servers.redis_url.expose_secret(), &servers.namespace)?;
        tokio::spawn(cache.lease().clone().keep_renewed(database.clone()));
        let broker = Broker::new(servers.amqp_url.expose_secret())?;
        let topology = Topology::new(&servers.namespace);
        let queue_waits = QueueWaits::default();
        tokio::spawn(partitions::follow(topology.clone(), queue_waits.clone(), database.clone()));
        let (connections, connections_per_address) =
            (config.connections.total.get(), config.connections.per_address.get());
        let rate_limits =
            Arc::new(RateLimits::new(limits.requests_per_minute, limits.registrations_per_hour));
        let log_in_limits = Arc::new(LogInLimits::new(limits.log_ins_per_minute));
        tokio::spawn(remove_inactive_counters(rate_limits.clone(), log_in_limits.clone()));
        Ok(Self {
            tokens: AccessTokens::new(&secrets, Duration::from_secs(sessions.access_token_minutes * 60)),
            refresh_lifetime: TimeDelta::days(sessions.session_days.into()),
            passwords: Passwords::new()?,
            pictures: PicturePool::new()?,
            objects: ObjectStore::new(&servers.objects, &servers.namespace)?,
            captchas: Captchas::new(&config.captcha, secrets.clone(), cache.clone())?,
            rate_limits,
            log_in_limits,
            bodies: BodySlots::new(connections, connections_per_address),
            webhooks: Webhooks::new(&config.webhooks, !config.connections.trusted_proxies.is_empty())?,
            stream_limits: StreamLimits::new(half(connections), half(connections_per_address)),
            draining: CancellationToken::new(),
            stop: CancellationToken::new(),
            events: Events::start(broker.clone(), topology.clone(), &LIVE_EVENTS),
            cors_origins: CorsOrigins::new(&config.connections.cors_origins)
                .context("GUILDHALL_CORS_ORIGINS is invalid")?,
            site_name: site.site_name.as_str().into(),
            site_language: site.site_language.clone(),
            site_url: site.site_url.clone(),
            second_factor_required: sessions.second_factor_required,
            trusted_proxies: TrustedProxies::new(&config.connections.trusted_proxies),
            connections,
            connections_per_address,
            lists: Lists::new(&database, &cache, secrets.all_keys("list cursors")),
            commands: Commands {
                publisher: Publisher::start(broker.clone(), topology.clone()),
                replies: Replies::start(broker),
                topology,
                database: database.clone(),
                cache: cache.clone(),
                secrets,
                wait: config.commands.wait,
                queue_waits,
                pace: Pace::default(),
                longest_queue_wait: config.commands.longest_queue_wait,
            },
            database,
            cache,
        })
    }

    /// The same state, but its cache has a connection of its own. Requests that this runtime serves then wait for no other thread.
    #[must_use]
    pub fn with_cache_connection_on(&self, runtime: &Handle) -> Self {
        let cache = self.cache.with_connection_on(runtime);
        Self { lists: self.lists.with_cache(&cache), cache, ..self.clone() }
    }

    /// The limits of the HTTP server.
    #[must_use]
    pub fn connection_limits(&self) -> ConnectionLimits {
        ConnectionLimits {
            total: self.connections,
            per_address: self.connections_per_address,
            trusted_proxies: self.trusted_proxies.clone(),
        }
    }

    /// Lets `/healthz` respond 503, so that a proxy sends new requests to another process.
    pub fn drain(&self) {
        self.draining.cancel();
    }

    /// The address of the site's pages, for a response that contains it.
    ///
    /// # Errors
    /// 404 if the site has no address.
    pub(crate) fn require_site_url(&self) -> Result<&SiteUrl, Problem> {
        self.site_url.as_ref().ok_or_else(|| ApiRefusal::SiteUrlMissing.into())
    }

    /// Ends event streams and long polls.
    pub fn stop(&self) {
        self.stop.cancel();
    }
}

/// Event streams use at most half of the connections. The rest serves other requests.
fn half(limit: usize) -> usize {
    limit.div_ceil(2)
}

/// Removes the counters of inactive clients every minute. It runs as long as the process.
async fn remove_inactive_counters(rate_limits: Arc<RateLimits>, log_in_limits: Arc<LogInLimits>) {
    loop {
        tokio::time::sleep(Duration::from_secs(60)).await;
        rate_limits.remove_inactive();
        log_in_limits.remove_inactive();
    }
}
