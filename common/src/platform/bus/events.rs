//! Receives the events of the site.
//!
//! Events are best effort: those that are published while the connection is down are lost. So every listener also polls.

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

use super::{
    connection::{Broker, with_timeout},
    supervisor::supervise,
    topology::Topology,
};

/// The maximum number of events that a slow listener may be behind. Then it misses some.
const CAPACITY: usize = 1024;

/// Something that happened on the site.
#[derive(Debug, Deserialize)]
pub struct Event {
    /// A name with dots: `payment.paid`.
    pub topic: String,
    pub payload: Value,
}

/// The events of some topics, shared by a whole process.
#[derive(Clone)]
pub struct Events(broadcast::Sender<Arc<Event>>);

impl Events {
    /// Starts the supervisor of the connection. `.#` at the end of a topic matches all topics below it.
    #[must_use]
    pub fn start(broker: Broker, topology: Topology, topics: &'static [&'static str]) -> Self {
        let (sender, _) = broadcast::channel(CAPACITY);
        let events = Self(sender.clone());
        tokio::spawn(async move {
            supervise(broker, "events", CancellationToken::new(), |connection, _| {
                receive(connection, &topology, topics, &sender)
            })
            .await;
        });
        events
    }

    /// Receives all events from now on.
    #[must_use]
    pub fn listen(&self) -> EventListener {
        EventListener(self.0.subscribe())
    }
}

/// Receives every event since it was created.
pub struct EventListener(broadcast::Receiver<Arc<Event>>);

impl EventListener {
    /// Waits for a matching event. It also returns when events were missed, because one of them may have matched.
    pub async fn wait_for(&mut self, matches: impl Fn(&Event) -> bool) {
        loop {
            match self.0.recv().await {
                Ok(event) if !matches(&event) => {}
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
    let channel = with_timeout(connection.create_channel()).await?;
    // The broker chooses the name and deletes the queue with the connection.
    let exclusive = QueueDeclareOptions { exclusive: true, auto_delete: true, ..Default::default() };
    let queue = with_timeout(channel.queue_declare("".into(), exclusive, FieldTable::default())).await?;
    for topic in topics {
        with_timeout(channel.queue_bind(
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
        with_timeout(channel.basic_consume(name, "events".into(), options, FieldTable::default())).await?;
    while let Some(delivery) = events.next().await {
        match serde_json::from_slice::<Event>(&delivery.context("cannot receive events")?.data) {
            // An error means that there is no listener.
            Ok(event) => drop(sender.send(Arc::new(event))),
            Err(error) => tracing::warn!(%error, "event not readable"),
        }
    }
    anyhow::bail!("the stream of events ended")
}
