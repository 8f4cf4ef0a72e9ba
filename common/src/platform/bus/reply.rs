//! Replies with the outcomes of commands.
//!
//! Replies are best effort: they are lost when the connection breaks. Then the row of the operation has the outcome.

use std::{collections::HashMap, sync::Arc};

use anyhow::Context;
use futures_util::StreamExt;
use lapin::{
    Connection,
    options::{BasicConsumeOptions, QueueDeclareOptions},
    types::FieldTable,
};
use parking_lot::Mutex;
use tokio::sync::{oneshot, watch};
use tokio_util::sync::CancellationToken;

use super::{
    connection::{Broker, with_timeout},
    scoped_value::ScopedValue,
    supervisor::supervise,
};
use crate::contract::command::{CompletedOperation, OperationId};

type Waiters = HashMap<OperationId, Vec<oneshot::Sender<CompletedOperation>>>;

/// The queue on which this process receives the outcomes of its commands.
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

    /// The name of the queue. None while there is no connection.
    #[must_use]
    pub fn queue(&self) -> Option<String> {
        self.queue.borrow().clone()
    }

    /// Registers a waiter for an operation. Call it before the command is published, so that no reply is missed.
    #[must_use]
    pub fn register(&self, operation_id: OperationId) -> Waiter {
        let (sender, receiver) = oneshot::channel();
        self.waiters.lock().entry(operation_id).or_default().push(sender);
        Waiter { operation_id, receiver, waiters: self.waiters.clone() }
    }
}

/// Waits for one operation. There may be several waiters for the same one.
pub struct Waiter {
    operation_id: OperationId,
    receiver: oneshot::Receiver<CompletedOperation>,
    waiters: Arc<Mutex<Waiters>>,
}

impl Waiter {
    /// Waits for the reply. It never returns when the reply was lost, so the caller needs a time limit.
    pub async fn completed(&mut self) -> CompletedOperation {
        match (&mut self.receiver).await {
            Ok(operation) => operation,
            Err(_) => std::future::pending().await,
        }
    }
}

impl Drop for Waiter {
    fn drop(&mut self) {
        self.receiver.close();
        let mut waiters = self.waiters.lock();
        if let Some(others) = waiters.get_mut(&self.operation_id) {
            others.retain(|other| !other.is_closed());
            if others.is_empty() {
                waiters.remove(&self.operation_id);
            }
        }
    }
}

async fn receive(
    connection: Arc<Connection>,
    waiters: &Mutex<Waiters>,
    queue: &watch::Sender<Option<String>>,
) -> anyhow::Result<()> {
    let channel = with_timeout(connection.create_channel()).await?;
    // The broker chooses the name and deletes the queue with the connection.
    let exclusive = QueueDeclareOptions { exclusive: true, auto_delete: true, ..Default::default() };
    let declared = with_timeout(channel.queue_declare("".into(), exclusive, FieldTable::default())).await?;
    let options = BasicConsumeOptions { no_ack: true, ..Default::default() };
    let name = declared.name().clone();
    let mut replies =
        with_timeout(channel.basic_consume(name, "replies".into(), options, FieldTable::default())).await?;
    let _queue = ScopedValue::new(queue, declared.name().to_string());
    while let Some(delivery) = replies.next().await {
        match serde_json::from_slice::<Vec<CompletedOperation>>(
            &delivery.context("cannot receive replies")?.data,
        ) {
            Ok(operations) => operations.into_iter().for_each(|operation| notify_waiters(waiters, operation)),
            Err(error) => tracing::warn!(%error, "reply not readable"),
        }
    }
    anyhow::bail!("the stream of replies ended")
}

fn notify_waiters(waiters: &Mutex<Waiters>, operation: CompletedOperation) {
    for waiter in waiters.lock().remove(&operation.operation_id).unwrap_or_default() {
        // An error means that this waiter no longer waits.
        let _ = waiter.send(operation.clone());
    }
}
