//! One supervisor per role: it connects, runs the role, and starts again after every error.
//!
//! lapin's automatic recovery can hang for ever, so it is off. When a connection breaks at the wrong moment, some futures of lapin never
//! complete. So the supervisor also listens for the error of the connection, and drops the role with all its waits. It closes the
//! connection explicitly: lapin keeps a dropped connection open while a request is in progress, and the broker delivers messages to a
//! consumer that is gone. Last, it shuts down the socket through its own handle, because lapin cannot end a connection to a broker that
//! sends or reads nothing.

use std::{
    future::Future,
    sync::Arc,
    time::{Duration, Instant},
};

use futures_util::{Stream, StreamExt};
use lapin::{Connection, Event};
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use super::connection::{Broker, BrokerConnection, with_timeout};
use crate::platform::backoff::Backoff;

/// After this time a connection counts as good, and the next attempt to connect is not delayed.
pub const GOOD_AFTER: Duration = Duration::from_secs(10);

/// The error by which a role leaves a good connection, to connect to any other node.
#[derive(Debug, thiserror::Error)]
#[error("switching to another node")]
pub struct SwitchNode;

/// Runs a role on its own connection, and on a new connection after every error.
///
/// It ends when the role returns without an error or, between two connections, when `stop` is cancelled.
/// The watch channel tells the role whether the broker blocks the connection for lack of memory or disk space.
pub async fn supervise<F, R>(broker: Broker, role: &'static str, stop: CancellationToken, run: F)
where
    F: Fn(Arc<Connection>, watch::Receiver<bool>) -> R,
    R: Future<Output = anyhow::Result<()>>,
{
    let mut backoff = Backoff::default();
    // Roles with little work switch nodes every half minute. That is not worth a log line.
    let mut should_log = true;
    while !stop.is_cancelled() {
        let connected = match stop.run_until_cancelled(broker.connect(role)).await {
            Some(connected) => connected,
            None => return,
        };
        let result = match connected {
            Ok(connection) => {
                if should_log {
                    tracing::info!(bus.role = role, "connected to RabbitMQ");
                }
                let started = Instant::now();
                let result = run_connected(connection, &run).await;
                if started.elapsed() > GOOD_AFTER {
                    backoff = Backoff::default();
                }
                result
            }
            Err(error) => Err(error),
        };
        let Err(error) = result else { return };
        should_log = !error.is::<SwitchNode>();
        if should_log {
            let error = format!("{error:#}");
            tracing::warn!(bus.role = role, error, "RabbitMQ connection lost, connecting again");
        }
        stop.run_until_cancelled(backoff.wait()).await;
    }
}

/// Runs the role until it returns or its connection breaks, and closes the connection.
async fn run_connected<F, R>(connection: BrokerConnection, run: &F) -> anyhow::Result<()>
where
    F: Fn(Arc<Connection>, watch::Receiver<bool>) -> R,
    R: Future<Output = anyhow::Result<()>>,
{
    let events = connection.events_listener();
    let (sender, is_blocked) = watch::channel(false);
    let result = tokio::select! {
        result = run(Arc::clone(&connection), is_blocked) => result,
        // Some of lapin's futures never end when the connection breaks, so the role is dropped.
        error = watch_connection(events, &sender) => Err(error),
    };
    // It closes the connection explicitly: lapin keeps a dropped connection open while a request is pending,
    // and the broker then delivers messages to a consumer that no longer exists.
    tokio::spawn(async move { with_timeout(connection.close(200, "role ended".into())).await });
    result
}

/// Reports whether the broker blocks the connection, and returns the error that ends it.
///
/// There must be no other listener: lapin gives each event to only one.
async fn watch_connection(
    mut events: impl Stream<Item = Event> + Unpin,
    is_blocked: &watch::Sender<bool>,
) -> anyhow::Error {
    while let Some(event) = events.next().await {
        match event {
            Event::ConnectionBlocked(reason) => {
                tracing::warn!(reason, "connection blocked by RabbitMQ");
                is_blocked.send_replace(true);
            }
            Event::ConnectionUnblocked => {
                tracing::info!("connection unblocked by RabbitMQ");
                is_blocked.send_replace(false);
            }
            Event::Error(error) => return error.into(),
            _ => {}
        }
    }
    anyhow::anyhow!("the connection ended")
}
