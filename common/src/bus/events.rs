//! Hearing the events of the site. A hint, like a reply: what is missed while the broker is away is
//! not repeated here, so whoever listens also looks from time to time.

use std::sync::Arc;

use anyhow::Context;
use futures_util::StreamExt;
use lapin::{
    Connection,
    options::{BasicConsumeOptions, QueueBindOptions, QueueDeclareOptions},
    types::FieldTable,
};
use serde::Deserialize;
use serde_json::Value;
use tokio::sync::broadcast;
use tokio_util::sync::CancellationToken;

use super::{Broker, Topology, supervise, within};

/// Events that a slow listener may fall behind; then it misses some.
const BEHIND: usize = 1024;

/// Something that happened.
#[derive(Debug, Deserialize)]
pub struct Event {
    /// Dotted: `payment.paid`.
    pub topic: String,
    pub payload: Value,
}

/// The events of some topics, for all of a process.
#[derive(Clone)]
pub struct Events(broadcast::Sender<Arc<Event>>);

impl Events {
    /// Starts the supervisor of the connection. Topics may end with `.#`.
    #[must_use]
    pub fn start(broker: Broker, topology: Topology, topics: &'static [&'static str]) -> Self {
        let (sender, _) = broadcast::channel(BEHIND);
        let events = Self(sender.clone());
        tokio::spawn(async move {
            supervise(broker, "events", CancellationToken::new(), |connection, _| {
                receive(connection, &topology, topics, &sender)
            })
            .await;
        });
        events
    }

    /// Listens from now on.
    #[must_use]
    pub fn listen(&self) -> Listener {
        Listener(self.0.subscribe())
    }
}

/// Hears every event from when it was made.
pub struct Listener(broadcast::Receiver<Arc<Event>>);

impl Listener {
    /// Waits for an event like this. Comes back also when some were missed, which may have been like it.
    pub async fn heard(&mut self, like: impl Fn(&Event) -> bool) {
        loop {
            match self.0.recv().await {
                Ok(event) if !like(&event) => {}
                Ok(_) | Err(broadcast::error::RecvError::Lagged(_)) => return,
                Err(broadcast::error::RecvError::Closed) => std::future::pending().await,
            }
        }
    }
}

async fn receive(
    connection: Arc<Connection>,
    topology: &Topology,
    topics: &[&str],
    sender: &broadcast::Sender<Arc<Event>>,
) -> anyhow::Result<()> {
    let channel = within(connection.create_channel()).await?;
    // The broker names it, and it goes with the connection.
    let own = QueueDeclareOptions { exclusive: true, auto_delete: true, ..Default::default() };
    let queue = within(channel.queue_declare("".into(), own, FieldTable::default())).await?;
    for topic in topics {
        within(channel.queue_bind(
            queue.name().clone(),
            topology.events().into(),
            (*topic).into(),
            QueueBindOptions::default(),
            FieldTable::default(),
        ))
        .await?;
    }
    let options = BasicConsumeOptions { no_ack: true, ..Default::default() };
    let name = queue.name().clone();
    let mut events =
        within(channel.basic_consume(name, "events".into(), options, FieldTable::default())).await?;
    while let Some(delivery) = events.next().await {
        match serde_json::from_slice::<Event>(&delivery.context("receiving events")?.data) {
            // Nobody listening is no error.
            Ok(event) => drop(sender.send(Arc::new(event))),
            Err(error) => tracing::warn!(%error, "an event that cannot be read"),
        }
    }
    anyhow::bail!("the events ended")
}
