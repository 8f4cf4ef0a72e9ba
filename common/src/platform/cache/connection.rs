//! A connection to Redis that is either good or absent, so no request waits for a server that is down or frozen.
//!
//! The connection is used only while Redis replies to a PING every half second.

use std::{sync::Arc, time::Duration};

use anyhow::Context;
use redis::{AsyncConnectionConfig, Client, aio::MultiplexedConnection};
use tokio::{
    runtime::Handle,
    sync::{Notify, watch},
    time::timeout,
};

use crate::platform::backoff::Backoff;

/// The longest wait for a reply of Redis. Afterwards the request reads the database.
pub(super) const REPLY_TIMEOUT: Duration = Duration::from_millis(300);

/// The number of requests that the queue of the connection holds. The next one waits until others are sent.
const PIPELINE: usize = 1024;

const PING_INTERVAL: Duration = Duration::from_millis(500);

/// Redis is down or frozen, or its content may be outdated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the cache is unavailable")]
pub struct CacheUnavailable;

#[derive(Clone)]
pub(super) struct RedisConnections {
    client: Client,
    current: watch::Receiver<Option<MultiplexedConnection>>,
    recheck: Arc<Notify>,
}

impl RedisConnections {
    pub(super) fn start(url: &str) -> anyhow::Result<Self> {
        let client = Client::open(url).context("the address of Redis")?;
        Ok(Self::start_on(&Handle::current(), client))
    }

    /// Another connection to the same server.
    pub(super) fn start_another(&self, runtime: &Handle) -> Self {
        Self::start_on(runtime, self.client.clone())
    }

    fn start_on(runtime: &Handle, client: Client) -> Self {
        let (sender, current) = watch::channel(None);
        let recheck = Arc::new(Notify::new());
        runtime.spawn(supervise(client.clone(), sender, recheck.clone()));
        Self { client, current, recheck }
    }

    pub(super) fn get(&self) -> Result<MultiplexedConnection, CacheUnavailable> {
        self.current.borrow().clone().ok_or(CacheUnavailable)
    }

    /// Checks the connection immediately, after a request on it failed.
    pub(super) fn recheck(&self) {
        self.recheck.notify_one();
    }
}

async fn supervise(
    client: Client,
    current: watch::Sender<Option<MultiplexedConnection>>,
    recheck: Arc<Notify>,
) {
    // Each request has a time limit of its own, which includes the wait for its place on the connection.
    let config = AsyncConnectionConfig::new()
        .set_connection_timeout(Some(Duration::from_secs(1)))
        .set_response_timeout(None)
        .set_pipeline_buffer_size(PIPELINE);
    let mut backoff = Backoff::default();
    loop {
        match client.get_multiplexed_async_connection_with_config(&config).await {
            Ok(connection) => {
                tracing::info!("connected to Redis");
                backoff = Backoff::default();
                current.send_replace(Some(connection.clone()));
                while is_responding(&connection).await {
                    // The next PING decides, after the interval and after a notification.
                    let _ = timeout(PING_INTERVAL, recheck.notified()).await;
                }
                current.send_replace(None);
                tracing::warn!("Redis connection lost, reading from Postgres");
            }
            Err(error) => tracing::debug!(%error, "Redis connection failed"),
        }
        backoff.wait().await;
    }
}

async fn is_responding(connection: &MultiplexedConnection) -> bool {
    let mut connection = connection.clone();
    let pong = timeout(REPLY_TIMEOUT, redis::cmd("PING").query_async::<String>(&mut connection)).await;
    matches!(pong, Ok(Ok(_)))
}
