//! Confirmed publishing: a message is either on disk in the broker, or the
//! publisher knows that it may not be.

use std::{
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use anyhow::Context;
use lapin::{
    BasicProperties, Channel, Confirmation, Connection,
    options::{BasicPublishOptions, ConfirmSelectOptions},
};
use tokio::{
    sync::{Notify, Semaphore, watch},
    time::{Instant, sleep_until, timeout},
};

use tokio_util::sync::CancellationToken;

use super::{Broker, Topology, connection::Shown, supervise, within};

/// Persistent, in the words of AMQP 0-9-1.
const PERSISTENT: u8 = 2;

/// Channels of one publisher. Each has one publish in flight at a time, because
/// lapin mixes up the confirms of publishes that share a channel.
const CHANNELS: usize = 32;

/// How long to wait for a connection, and for a free channel, before saying that there is none.
const READY_WITHIN: Duration = Duration::from_secs(1);

/// After so long a blocked connection is tried anew: of a cluster, not every node tells that it accepts again.
const BLOCKED_FOR: Duration = Duration::from_secs(4);

/// How long the broker may take to confirm.
const CONFIRM_WITHIN: Duration = Duration::from_secs(4);

/// What is published, and where to.
#[derive(Debug, Clone)]
pub struct Message {
    /// Empty: the default exchange, which routes to the queue named by the key.
    pub exchange: String,
    pub routing_key: String,
    /// Whether nobody to receive it is an error.
    pub mandatory: bool,
    pub message_id: String,
    pub reply_to: Option<String>,
    pub body: Vec<u8>,
}

#[derive(Debug, thiserror::Error)]
pub enum PublishError {
    /// Nothing was sent.
    #[error("there is no connection to the queue")]
    Unavailable,
    /// The broker said no: the queue is full, or missing.
    #[error("the queue rejected the message")]
    Rejected,
    /// It was sent and not confirmed. It may be there; publish it again with the same id.
    #[error("the queue did not confirm the message")]
    Unknown,
}

/// Publishes with confirms, over a connection that comes back by itself.
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

    /// Whether there is a connection that accepts messages right now.
    #[must_use]
    pub fn is_ready(&self) -> bool {
        self.channels.borrow().is_some()
    }

    /// Waits until there is a connection, for a program that has just started.
    pub async fn ready(&self) {
        // An error means that the supervisor is gone, and the next publish says so.
        let _ = self.channels.clone().wait_for(Option::is_some).await;
    }

    /// Publishes and waits for the confirm. Goes on to its end even if the caller
    /// goes away, so that a channel never has two publishes in flight.
    ///
    /// # Errors
    /// See [`PublishError`].
    pub async fn publish(&self, message: Message) -> Result<(), PublishError> {
        let mut channels = self.channels.clone();
        let published = tokio::spawn(async move {
            let ready = timeout(READY_WITHIN, channels.wait_for(Option::is_some)).await;
            let Ok(Ok(Some(channels))) = ready.map(|ready| ready.map(|ready| ready.clone())) else {
                return Err(PublishError::Unavailable);
            };
            channels.publish(&message).await
        });
        published.await.unwrap_or(Err(PublishError::Unknown))
    }
}

/// The channels of one connection; a broken one ends them all.
struct Channels {
    idle: Mutex<Vec<Channel>>,
    permits: Semaphore,
    broken: Notify,
    /// Cancelled when the connection is given up: nobody is told of a confirm any more.
    over: CancellationToken,
}

impl Channels {
    async fn publish(&self, message: &Message) -> Result<(), PublishError> {
        let Ok(Ok(_permit)) = timeout(READY_WITHIN, self.permits.acquire()).await else {
            return Err(PublishError::Unavailable);
        };
        let Some(channel) = self.idle().pop() else {
            return Err(PublishError::Unavailable);
        };
        let confirmed = timeout(CONFIRM_WITHIN, confirmed(&channel, message));
        match self.over.run_until_cancelled(confirmed).await {
            Some(Ok(Ok(confirmation))) => {
                self.idle().push(channel);
                match confirmation {
                    Confirmation::Ack(None) => Ok(()),
                    _ => Err(PublishError::Rejected),
                }
            }
            Some(Ok(Err(_)) | Err(_)) | None => {
                self.broken.notify_one();
                Err(PublishError::Unknown)
            }
        }
    }

    fn idle(&self) -> std::sync::MutexGuard<'_, Vec<Channel>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

async fn confirmed(channel: &Channel, message: &Message) -> lapin::Result<Confirmation> {
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

/// Pends unless the connection is blocked.
async fn over(blocked: Option<Instant>) {
    match blocked {
        Some(since) => sleep_until(since + BLOCKED_FOR).await,
        None => std::future::pending().await,
    }
}

async fn run(
    connection: Arc<Connection>,
    mut blocked: watch::Receiver<bool>,
    topology: &Topology,
    ready: &watch::Sender<Option<Arc<Channels>>>,
) -> anyhow::Result<()> {
    let mut idle = Vec::with_capacity(CHANNELS);
    for _ in 0..CHANNELS {
        let channel = within(connection.create_channel()).await?;
        within(channel.confirm_select(ConfirmSelectOptions::default())).await?;
        idle.push(channel);
    }
    let checking = within(connection.create_channel()).await?;
    within(topology.check(&checking)).await?;
    let channels = Arc::new(Channels {
        idle: Mutex::new(idle),
        permits: Semaphore::new(CHANNELS),
        broken: Notify::new(),
        over: CancellationToken::new(),
    });
    let _over = channels.over.clone().drop_guard();
    let _shown = Shown::new(ready, channels.clone());
    let mut blocked_since = None;
    loop {
        tokio::select! {
            () = channels.broken.notified() => anyhow::bail!("a publish was not confirmed"),
            () = over(blocked_since) => anyhow::bail!("RabbitMQ has accepted no messages for {BLOCKED_FOR:?}"),
            changed = blocked.changed() => {
                changed.context("the connection ended")?;
                let is_blocked = *blocked.borrow_and_update();
                // It takes nothing: say so at once.
                ready.send_replace((!is_blocked).then(|| channels.clone()));
                blocked_since = is_blocked.then(Instant::now);
            }
        }
    }
}
