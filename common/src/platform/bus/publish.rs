//! Confirmed publishing: a message is on disk in the broker, or the publisher gets an error.

use std::{sync::Arc, time::Duration};

use anyhow::Context;
use lapin::{
    BasicProperties, Channel, Confirmation, Connection,
    options::{BasicPublishOptions, ConfirmSelectOptions},
};
use parking_lot::Mutex;
use tokio::{
    sync::{Notify, Semaphore, watch},
    time::{Instant, sleep_until, timeout},
};
use tokio_util::sync::CancellationToken;

use super::{
    connection::{Broker, with_timeout},
    scoped_value::ScopedValue,
    supervisor::supervise,
    topology::Topology,
};

/// The delivery mode for persistent messages (AMQP 0-9-1).
const PERSISTENT: u8 = 2;

/// The channels of one publisher. Each has one publish in flight, because lapin mixes up
/// the confirms of publishes that share a channel.
const CHANNELS: usize = 32;

/// The longest wait for a connection, and for a free channel.
const READY_TIMEOUT: Duration = Duration::from_secs(1);

/// A connection that is blocked for this long is replaced: a node of a cluster was seen not to report that it is unblocked.
const BLOCKED_TIMEOUT: Duration = Duration::from_secs(4);

/// The longest wait for a confirm.
const CONFIRM_TIMEOUT: Duration = Duration::from_secs(4);

/// A message and its destination.
#[derive(Debug, Clone)]
pub struct Message {
    /// An empty name is the default exchange. It routes to the queue that the routing key names.
    pub exchange: String,
    pub routing_key: String,
    /// Whether a message without a queue is an error.
    pub mandatory: bool,
    pub message_id: String,
    pub reply_to: Option<String>,
    pub body: Vec<u8>,
}

/// Why a message was not published.
#[derive(Debug, thiserror::Error)]
pub enum PublishError {
    /// There is no connection. Nothing was sent.
    #[error("there is no connection to RabbitMQ")]
    Unavailable,
    /// The broker rejected the message: the queue is full or missing.
    #[error("RabbitMQ rejected the message")]
    Rejected,
    /// The message was sent but not confirmed. It may be in the queue. Publish it again with the same id.
    #[error("RabbitMQ did not confirm the message")]
    Unknown,
}

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

    /// Publishes and waits for the confirm. It continues when the caller is dropped, so that a channel
    /// never has two publishes in flight.
    ///
    /// # Errors
    /// See [`PublishError`].
    pub async fn publish(&self, message: Message) -> Result<(), PublishError> {
        let mut channels = self.channels.clone();
        let published = tokio::spawn(async move {
            let ready = timeout(READY_TIMEOUT, channels.wait_for(Option::is_some)).await;
            let Ok(Ok(Some(channels))) = ready.map(|ready| ready.map(|ready| ready.clone())) else {
                return Err(PublishError::Unavailable);
            };
            channels.publish(&message).await
        });
        published.await.unwrap_or(Err(PublishError::Unknown))
    }
}

/// The channels of one connection. A failure of one ends all of them.
struct Channels {
    idle: Mutex<Vec<Channel>>,
    permits: Semaphore,
    failed: Notify,
    /// Cancelled when the connection is closed. No confirm can arrive afterwards.
    closed: CancellationToken,
}

impl Channels {
    async fn publish(&self, message: &Message) -> Result<(), PublishError> {
        let Ok(Ok(_permit)) = timeout(READY_TIMEOUT, self.permits.acquire()).await else {
            return Err(PublishError::Unavailable);
        };
        let Some(channel) = self.idle.lock().pop() else {
            return Err(PublishError::Unavailable);
        };
        let confirming = timeout(CONFIRM_TIMEOUT, publish_confirmed(&channel, message));
        match self.closed.run_until_cancelled(confirming).await {
            Some(Ok(Ok(confirmation))) => {
                self.idle.lock().push(channel);
                match confirmation {
                    Confirmation::Ack(None) => Ok(()),
                    _ => Err(PublishError::Rejected),
                }
            }
            Some(Ok(Err(_)) | Err(_)) | None => {
                self.failed.notify_one();
                Err(PublishError::Unknown)
            }
        }
    }
}

async fn publish_confirmed(channel: &Channel, message: &Message) -> lapin::Result<Confirmation> {
    let mut properties = BasicProperties::default()
        .with_delivery_mode(PERSISTENT)
        .with_content_type("application/json".into())
        .with_message_id(message.message_id.as_str().into());
    if let Some(queue) = &message.reply_to {
        properties = properties.with_reply_to(queue.as_str().into());
    }
    let options = BasicPublishOptions { mandatory: message.mandatory, immediate: false };
    channel
        .basic_publish(
            message.exchange.as_str().into(),
            message.routing_key.as_str().into(),
            options,
            &message.body,
            properties,
        )
        .await?
        .await
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
    let mut idle = Vec::with_capacity(CHANNELS);
    for _ in 0..CHANNELS {
        let channel = with_timeout(connection.create_channel()).await?;
        with_timeout(channel.confirm_select(ConfirmSelectOptions::default())).await?;
        idle.push(channel);
    }
    let check_channel = with_timeout(connection.create_channel()).await?;
    with_timeout(topology.check(&check_channel)).await?;
    let channels = Arc::new(Channels {
        idle: Mutex::new(idle),
        permits: Semaphore::new(CHANNELS),
        failed: Notify::new(),
        closed: CancellationToken::new(),
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
