//! Confirmed publishing: a message is on disk in the broker, or the publisher gets an error.

use std::{sync::Arc, time::Duration};

use anyhow::Context;
use futures_util::{future::maybe_done, poll};
use lapin::{
    BasicProperties, Channel, Confirmation, Connection, options::BasicPublishOptions, types::ShortString,
};
use tokio::{
    sync::{Notify, OnceCell, watch},
    time::{Instant, sleep_until, timeout},
};
use tokio_util::sync::CancellationToken;

use super::{
    confirmed_channel,
    connection::{Broker, with_timeout},
    message::{CONFIRM_TIMEOUT, EventMessage, Message, PublishError, READY_TIMEOUT},
    queue_publisher::QueuePublishers,
    scoped_value::ScopedValue,
    supervisor::supervise,
    topology::Topology,
};

/// A connection that is blocked for this long is replaced: a node of a cluster was seen not to report that it is unblocked.
const BLOCKED_TIMEOUT: Duration = Duration::from_secs(4);

/// Publishes with confirms, on a connection that is restored after errors.
#[derive(Clone)]
pub struct Publisher {
    channels: watch::Receiver<Option<Arc<Channels>>>,
}

impl Publisher {
    /// Starts the supervisor of the connection.
    #[must_use]
    pub fn start(broker: Broker, topology: Topology) -> Self {
        let (sender, channels) = watch::channel(None);
        let sender = Arc::new(sender);
        tokio::spawn(async move {
            supervise(broker, "publisher", CancellationToken::new(), |connection, blocked| {
                run(connection, blocked, &topology, &sender)
            })
            .await;
        });
        Self { channels }
    }

    /// Whether there is a connection that accepts messages.
    #[must_use]
    pub fn is_ready(&self) -> bool {
        self.channels.borrow().is_some()
    }

    /// Waits until there is a connection. Programs call it when they start.
    pub async fn wait_until_ready(&self) {
        // An error means that the supervisor ended. The next publish returns the error.
        let _ = self.channels.clone().wait_for(Option::is_some).await;
    }

    /// Publishes a message for a queue that exists, and waits for the confirm.
    ///
    /// # Errors
    /// See [`PublishError`].
    pub async fn publish(&self, message: Message) -> Result<(), PublishError> {
        self.channels().await?.queues.publish(message).await
    }

    /// Publishes events in their order. The caller must be the only one at this time. It returns how many of the first events are
    /// published, and why the others may not be.
    pub async fn publish_events(
        &self,
        exchange: &str,
        events: &[EventMessage],
    ) -> (usize, Result<(), PublishError>) {
        let channels = match self.channels().await {
            Ok(channels) => channels,
            Err(error) => return (0, Err(error)),
        };
        let mut published = 0;
        let publishing = timeout(CONFIRM_TIMEOUT, channels.publish_events(exchange, events, &mut published));
        let result = match channels.closed.run_until_cancelled(publishing).await {
            Some(Ok(Ok(()))) if published < events.len() => Err(PublishError::Rejected),
            Some(Ok(Ok(()))) => Ok(()),
            Some(Ok(Err(_)) | Err(_)) | None => {
                channels.failed.notify_one();
                Err(PublishError::Unknown)
            }
        };
        (published, result)
    }

    /// Sends a message without a confirm. It may be lost.
    ///
    /// # Errors
    /// There is no connection.
    pub async fn send_unconfirmed(&self, queue: &str, body: &[u8]) -> anyhow::Result<()> {
        let channels = self.channels().await?;
        let create = || channels.connection.create_channel();
        let channel = with_timeout(channels.unconfirmed.get_or_try_init(create)).await?;
        let options = BasicPublishOptions::default();
        let sent = channel.basic_publish("".into(), queue.into(), options, body, BasicProperties::default());
        with_timeout(sent).await?;
        Ok(())
    }

    async fn channels(&self) -> Result<Arc<Channels>, PublishError> {
        if let Some(channels) = &*self.channels.borrow() {
            return Ok(channels.clone());
        }
        let mut channels = self.channels.clone();
        match timeout(READY_TIMEOUT, channels.wait_for(Option::is_some)).await {
            Ok(Ok(channels)) => channels.clone().ok_or(PublishError::Unavailable),
            _ => Err(PublishError::Unavailable),
        }
    }
}

/// The channels of one connection. A failure of one ends all of them.
struct Channels {
    connection: Arc<Connection>,
    queues: QueuePublishers,
    /// A channel with confirms.
    events: OnceCell<Channel>,
    unconfirmed: OnceCell<Channel>,
    failed: Arc<Notify>,
    /// Cancelled when the connection is closed. No confirm can arrive afterwards.
    closed: CancellationToken,
}

impl Channels {
    /// Counts the first events that the broker has accepted.
    async fn publish_events(
        &self,
        exchange: &str,
        events: &[EventMessage],
        published: &mut usize,
    ) -> lapin::Result<()> {
        let channel = self.events.get_or_try_init(|| confirmed_channel::open(&self.connection)).await?;
        let mut sending = Vec::with_capacity(events.len());
        for EventMessage { topic, message_id, body } in events {
            let properties = confirmed_channel::properties(message_id, None);
            let options = BasicPublishOptions::default();
            let (exchange, topic): (ShortString, ShortString) = (exchange.into(), topic.as_str().into());
            let publish = channel.basic_publish(exchange, topic, options, body, properties);
            let mut publish = Box::pin(maybe_done(publish));
            // The first poll puts the message into lapin's buffer. So the events keep their order, and none waits until the one before it is
            // written to the socket.
            let _ = poll!(&mut publish);
            sending.push(publish);
        }
        let mut confirms = Vec::with_capacity(events.len());
        for mut publish in sending {
            (&mut publish).await;
            confirms.extend(publish.as_mut().take_output().transpose()?);
        }
        let mut are_accepted = true;
        for confirm in confirms {
            are_accepted &= matches!(confirm.await?, Confirmation::Ack(_));
            *published += usize::from(are_accepted);
        }
        Ok(())
    }
}

/// Returns when the connection has been blocked for too long. It never returns while the connection is not blocked.
async fn blocked_too_long(blocked_since: Option<Instant>) {
    match blocked_since {
        Some(since) => sleep_until(since + BLOCKED_TIMEOUT).await,
        None => std::future::pending().await,
    }
}

async fn run(
    connection: Arc<Connection>,
    mut is_blocked: watch::Receiver<bool>,
    topology: &Topology,
    ready: &watch::Sender<Option<Arc<Channels>>>,
) -> anyhow::Result<()> {
    let check_channel = with_timeout(connection.create_channel()).await?;
    topology.check(&check_channel).await?;
    let (failed, closed) = (Arc::<Notify>::default(), CancellationToken::new());
    let channels = Arc::new(Channels {
        queues: QueuePublishers::new(connection.clone(), failed.clone(), closed.clone()),
        events: OnceCell::new(),
        unconfirmed: OnceCell::new(),
        failed,
        closed,
        connection,
    });
    let _closed = channels.closed.clone().drop_guard();
    let _ready = ScopedValue::new(ready, channels.clone());
    let mut blocked_since = None;
    loop {
        tokio::select! {
            () = channels.failed.notified() => anyhow::bail!("a publish was not confirmed"),
            () = blocked_too_long(blocked_since) => anyhow::bail!("RabbitMQ has blocked the connection for {BLOCKED_TIMEOUT:?}"),
            changed = is_blocked.changed() => {
                changed.context("the connection ended")?;
                let blocked = *is_blocked.borrow_and_update();
                // Publishing fails immediately while the connection is blocked.
                ready.send_replace((!blocked).then(|| channels.clone()));
                blocked_since = blocked.then(Instant::now);
            }
        }
    }
}
