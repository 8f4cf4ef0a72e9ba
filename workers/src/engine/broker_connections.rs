//! The connections to RabbitMQ that the consumers of partitions share: one to each node.

use std::sync::Arc;

use futures_util::{FutureExt, future::select_all};
use guildhall_common::platform::bus::{Broker, ScopedValue, supervise};
use lapin::Connection;
use rand::seq::IndexedRandom;
use tokio::{
    sync::{Notify, watch},
    task::JoinSet,
};
use tokio_util::sync::CancellationToken;

/// A connection that several consumers use. A failure of one ends all of them.
#[derive(Clone)]
pub(crate) struct SharedConnection {
    pub(crate) connection: Arc<Connection>,
    failed: Arc<Notify>,
    /// Cancelled when the connection is closed. Some of lapin's futures never end afterwards.
    pub(crate) closed: CancellationToken,
}

impl SharedConnection {
    /// Closes the connection, so that all consumers connect again.
    pub(crate) fn fail(&self) {
        self.failed.notify_one();
    }
}

/// The connections to all nodes of the broker. A connection that breaks is replaced.
#[derive(Clone)]
pub(crate) struct BrokerConnections(Vec<watch::Receiver<Option<SharedConnection>>>);

impl BrokerConnections {
    /// Starts to connect. The connections are closed when `stop` is cancelled.
    pub(crate) fn start(broker: &Broker, stop: &CancellationToken, tasks: &mut JoinSet<()>) -> Self {
        let connect = |node| {
            let (sender, receiver) = watch::channel(None);
            let stop = stop.clone();
            tasks.spawn(async move {
                let run = |connection, _| share(connection, stop.clone(), &sender);
                supervise(node, "commands", stop.clone(), run).await;
            });
            receiver
        };
        Self(broker.nodes().map(connect).collect())
    }

    /// Whether there is a connection to any node.
    pub(crate) fn are_connected(&self) -> bool {
        self.0.iter().any(|connection| connection.borrow().is_some())
    }

    /// Waits for a connection to any node, to another one than `previous` if possible. It returns the index of the node.
    pub(crate) async fn any(&self, previous: Option<usize>) -> (usize, SharedConnection) {
        loop {
            let connected = self.0.iter().enumerate();
            let connected: Vec<_> = connected
                .filter_map(|(node, connection)| Some((node, connection.borrow().clone()?)))
                .collect();
            let others: Vec<_> =
                connected.iter().filter(|(node, _)| Some(*node) != previous).cloned().collect();
            let candidates = if others.is_empty() { connected } else { others };
            if let Some(chosen) = candidates.choose(&mut rand::rng()) {
                return chosen.clone();
            }
            let mut connections = self.0.clone();
            let waits = connections.iter_mut().map(|connection| connection.wait_for(Option::is_some).boxed());
            // An error means that the supervisor ended, because the worker stops.
            if select_all(waits).await.0.is_err() {
                std::future::pending::<()>().await;
            }
        }
    }
}

async fn share(
    connection: Arc<Connection>,
    stop: CancellationToken,
    ready: &watch::Sender<Option<SharedConnection>>,
) -> anyhow::Result<()> {
    let closed = CancellationToken::new();
    let _closed = closed.clone().drop_guard();
    let shared = SharedConnection { connection, failed: Arc::default(), closed };
    let failed = shared.failed.clone();
    let _ready = ScopedValue::new(ready, shared);
    tokio::select! {
        () = failed.notified() => anyhow::bail!("a consumer has failed"),
        () = stop.cancelled() => Ok(()),
    }
}
