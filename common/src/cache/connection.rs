//! A connection to Redis that is there or is not: nobody waits for a server that
//! is down or frozen. It is used only while it answers a PING every half second.

use std::{sync::Arc, time::Duration};

use anyhow::Context;
use redis::{AsyncConnectionConfig, Client, aio::MultiplexedConnection};
use tokio::{
    sync::{Notify, watch},
    time::timeout,
};

use super::ANSWER_WITHIN;
use crate::bus::connection::Backoff;

const PING_EVERY: Duration = Duration::from_millis(500);

/// Redis is down, frozen, or not to be trusted: do without.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the cache is away")]
pub struct CacheAway;

#[derive(Clone)]
pub(super) struct Connections {
    current: watch::Receiver<Option<MultiplexedConnection>>,
    doubted: Arc<Notify>,
}

impl Connections {
    pub(super) fn start(url: &str) -> anyhow::Result<Self> {
        let client = Client::open(url).context("the address of Redis")?;
        let (sender, current) = watch::channel(None);
        let doubted = Arc::new(Notify::new());
        tokio::spawn(supervise(client, sender, doubted.clone()));
        Ok(Self { current, doubted })
    }

    pub(super) fn get(&self) -> Result<MultiplexedConnection, CacheAway> {
        self.current.borrow().clone().ok_or(CacheAway)
    }

    /// A call failed: make sure at once whether the connection is any good.
    pub(super) fn doubt(&self) {
        self.doubted.notify_one();
    }
}

async fn supervise(
    client: Client,
    current: watch::Sender<Option<MultiplexedConnection>>,
    doubted: Arc<Notify>,
) {
    let config = AsyncConnectionConfig::new()
        .set_connection_timeout(Some(Duration::from_secs(1)))
        .set_response_timeout(Some(ANSWER_WITHIN));
    let mut pause = Backoff::default();
    loop {
        match client.get_multiplexed_async_connection_with_config(&config).await {
            Ok(connection) => {
                tracing::info!("connected to Redis");
                pause = Backoff::default();
                current.send_replace(Some(connection.clone()));
                while answers(&connection).await {
                    // Either way the next PING tells.
                    let _ = timeout(PING_EVERY, doubted.notified()).await;
                }
                current.send_replace(None);
                tracing::warn!("lost Redis, doing without the cache");
            }
            Err(error) => tracing::debug!(%error, "Redis is away"),
        }
        pause.wait().await;
    }
}

async fn answers(connection: &MultiplexedConnection) -> bool {
    let mut connection = connection.clone();
    let pong = timeout(ANSWER_WITHIN, redis::cmd("PING").query_async::<String>(&mut connection)).await;
    matches!(pong, Ok(Ok(_)))
}
