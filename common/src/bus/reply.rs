//! Waiting for outcomes. A reply is a hint: it is lost when the broker or the
//! connection goes, and then the operation's row tells.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

use anyhow::Context;
use futures_util::StreamExt;
use lapin::{
    Connection,
    options::{BasicConsumeOptions, QueueDeclareOptions},
    types::FieldTable,
};
use tokio::sync::{oneshot, watch};

use tokio_util::sync::CancellationToken;

use super::{Broker, connection::Shown, supervise, within};
use crate::command::{OperationId, Settled};

type Waiters = HashMap<OperationId, Vec<oneshot::Sender<Settled>>>;

/// The queue on which this process hears what became of its commands.
#[derive(Clone)]
pub struct Replies {
    waiters: Arc<Mutex<Waiters>>,
    queue: watch::Receiver<Option<String>>,
}

impl Replies {
    /// Starts the supervisor of the connection.
    #[must_use]
    pub fn start(broker: Broker) -> Self {
        let (sender, queue) = watch::channel(None);
        let replies = Self { waiters: Arc::default(), queue };
        let waiters = replies.waiters.clone();
        tokio::spawn(async move {
            supervise(broker, "replies", CancellationToken::new(), |connection, _| {
                receive(connection, &waiters, &sender)
            })
            .await;
        });
        replies
    }

    /// Where replies are to be sent; `None` while there is no connection.
    #[must_use]
    pub fn queue(&self) -> Option<String> {
        self.queue.borrow().clone()
    }

    /// Registers before the command is published, so that no reply comes too early.
    #[must_use]
    pub fn expect(&self, operation_id: OperationId) -> Waiter {
        let (sender, receiver) = oneshot::channel();
        lock(&self.waiters).entry(operation_id).or_default().push(sender);
        Waiter { operation_id, receiver, waiters: self.waiters.clone() }
    }
}

/// Waits for one operation; several may wait for the same.
pub struct Waiter {
    operation_id: OperationId,
    receiver: oneshot::Receiver<Settled>,
    waiters: Arc<Mutex<Waiters>>,
}

impl Waiter {
    /// The reply, if one comes. Pends for ever if none does: give it a time limit.
    pub async fn settled(&mut self) -> Settled {
        match (&mut self.receiver).await {
            Ok(settled) => settled,
            Err(_) => std::future::pending().await,
        }
    }
}

impl Drop for Waiter {
    fn drop(&mut self) {
        self.receiver.close();
        let mut waiters = lock(&self.waiters);
        if let Some(others) = waiters.get_mut(&self.operation_id) {
            others.retain(|other| !other.is_closed());
            if others.is_empty() {
                waiters.remove(&self.operation_id);
            }
        }
    }
}

fn lock(waiters: &Mutex<Waiters>) -> std::sync::MutexGuard<'_, Waiters> {
    waiters.lock().unwrap_or_else(PoisonError::into_inner)
}

async fn receive(
    connection: Arc<Connection>,
    waiters: &Mutex<Waiters>,
    queue: &watch::Sender<Option<String>>,
) -> anyhow::Result<()> {
    let channel = within(connection.create_channel()).await?;
    // The broker names it, and it goes with the connection.
    let own = QueueDeclareOptions { exclusive: true, auto_delete: true, ..Default::default() };
    let declared = within(channel.queue_declare("".into(), own, FieldTable::default())).await?;
    let options = BasicConsumeOptions { no_ack: true, ..Default::default() };
    let name = declared.name().clone();
    let mut replies =
        within(channel.basic_consume(name, "replies".into(), options, FieldTable::default())).await?;
    let _shown = Shown::new(queue, declared.name().to_string());
    while let Some(delivery) = replies.next().await {
        match serde_json::from_slice::<Vec<Settled>>(&delivery.context("receiving replies")?.data) {
            Ok(settled) => settled.into_iter().for_each(|settled| tell(waiters, settled)),
            Err(error) => tracing::warn!(%error, "a reply that cannot be read"),
        }
    }
    anyhow::bail!("the replies ended")
}

fn tell(waiters: &Mutex<Waiters>, settled: Settled) {
    for waiter in lock(waiters).remove(&settled.operation_id).unwrap_or_default() {
        // Gone meanwhile: nobody to tell.
        let _ = waiter.send(settled.clone());
    }
}
