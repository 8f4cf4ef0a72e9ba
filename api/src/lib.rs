//! The front service: checks requests, publishes commands, serves reads.

mod account;
mod admin;
mod answer;
mod auth;
mod body;
mod call;
mod commands;
pub mod config;
mod document;
mod game;
mod guild;
mod health;
mod manners;
mod news;
mod operations;
mod payments;
mod problem;
mod read;
mod secret;
pub mod serve;
mod shop;
mod tokens;

use std::{sync::Arc, time::Duration};

use anyhow::Context;
use bytes::Bytes;
use chrono::TimeDelta;
use guildhall_common::platform::{
    bus::{Broker, Events, Publisher, Replies, Topology},
    cache::Cache,
    db,
};
use ipnet::IpNet;
use metrics_exporter_prometheus::PrometheusHandle;
use poem::{Endpoint, Response, endpoint::make_sync, get};
use secrecy::ExposeSecret;
use sqlx::PgPool;
use tokio_util::sync::CancellationToken;

pub use self::news::to_html;
use self::{
    account::{Accounts, Passwords},
    admin::Administration,
    body::JSON,
    commands::Commands,
    config::Config,
    document::Documented,
    game::Games,
    guild::Guilds,
    manners::{LargeBodies, RateLimits},
    news::News,
    operations::Operations,
    payments::{Payments, Streams, Webhooks},
    secret::Secret,
    shop::Shop,
    tokens::Tokens,
};

/// What every endpoint has at hand.
#[derive(Clone)]
pub struct State {
    database: PgPool,
    cache: Cache,
    commands: Commands,
    tokens: Tokens,
    refresh_lifetime: TimeDelta,
    passwords: Passwords,
    rate_limits: Arc<RateLimits>,
    large_bodies: LargeBodies,
    webhooks: Webhooks,
    events: Events,
    streams: Streams,
    /// Cancelled when new requests shall go to another process.
    leaving: CancellationToken,
    /// Cancelled when the process shall end: whoever waits is told to come again.
    stop: CancellationToken,
    cors_origins: Arc<[String]>,
    trusted_proxies: Arc<[IpNet]>,
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
            tokens: Tokens::new(&secret, Duration::from_secs(config.access_token_minutes * 60)),
            refresh_lifetime: TimeDelta::days(config.session_days.into()),
            passwords: Passwords::new()?,
            rate_limits,
            large_bodies: LargeBodies::default(),
            webhooks: Webhooks::new(config)?,
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

type Apis = (
    Documented<Accounts>,
    Documented<Guilds>,
    Documented<Shop>,
    Documented<News>,
    Documented<Payments>,
    Documented<Operations>,
    Documented<Games>,
    Documented<Administration>,
);

fn apis(state: &State) -> Apis {
    (
        Documented(Accounts { state: state.clone() }),
        Documented(Guilds { state: state.clone() }),
        Documented(Shop { state: state.clone() }),
        Documented(News { state: state.clone() }),
        Documented(Payments { state: state.clone() }),
        Documented(Operations { commands: state.commands.clone() }),
        Documented(Games { state: state.clone() }),
        Documented(Administration { state: state.clone() }),
    )
}

/// The OpenAPI document, as JSON. Made of types alone, so it needs no server.
#[must_use]
pub fn document() -> String {
    document::document::<Apis>()
}

/// An answer that is always the same.
fn constant(media_type: &'static str, body: String) -> impl Endpoint + 'static {
    let body = Bytes::from(body);
    make_sync(move |_| Response::builder().content_type(media_type).body(body.clone()))
}

/// Everything that the service answers.
pub fn app(state: &State, metrics: PrometheusHandle) -> impl Endpoint + 'static {
    let service = document::service(apis(state));
    let document = document();
    let page = service.swagger_ui_html().replace(&service.spec(), &document);
    let routes = health::routes(state.clone(), metrics)
        .at("/openapi.json", get(constant(JSON, document)))
        .at("/docs", get(constant("text/html; charset=utf-8", page)))
        .nest("/", service);
    manners::around(routes, state)
}
