//! The consumer of one queue: it receives messages in batches, and acknowledges them after their processing.

use std::{collections::VecDeque, sync::Arc, time::Duration};

use anyhow::Context;
use futures_util::{FutureExt, StreamExt};
use guildhall_common::platform::bus::{self, SwitchNode, with_timeout};
use lapin::{
    Channel, Connection, Consumer,
    message::Delivery,
    options::{BasicConsumeOptions, BasicQosOptions},
    types::FieldTable,
};
use tokio::time::{Instant, timeout, timeout_at};

use crate::{
    app::App,
    engine::throughput::{Acknowledgements, MAX_COMMANDS, MAX_PENDING},
};

/// The maximum number of messages in a batch. Each has at least one command.
const BATCH_SIZE: usize = MAX_COMMANDS;

/// The maximum number of unacknowledged messages: one batch in progress, one prefetched, and the processed ones.
const PREFETCH: u16 = (2 * BATCH_SIZE + MAX_PENDING) as u16;

/// After this time without a message the consumer switches to another node of the cluster. A node that has lost its copy of the
/// queue, as RabbitMQ 3.10 may after a full disk, accepts the consumer and delivers nothing, without an error.
const SILENCE_LIMIT: Duration = Duration::from_secs(30);

/// How often a busy consumer reads the length of its queue.
const LENGTH_INTERVAL: Duration = Duration::from_secs(1);

/// Processes the messages of a queue.
pub(super) trait QueueHandler: Sync {
    /// Processes a batch. The messages can be acknowledged when it returns.
    fn process(&self, app: &App, batch: &[Delivery]) -> impl Future<Output = anyhow::Result<()>> + Send;

    /// This number of messages wait in the queue.
    fn set_waiting(&self, _messages: u32) {}
}

/// Consumes the queue until the worker stops.
pub(super) async fn consume(
    app: &App,
    connection: Arc<Connection>,
    queue: &str,
    handler: &impl QueueHandler,
) -> anyhow::Result<()> {
    let channel = with_timeout(connection.create_channel()).await?;
    let deliveries = subscribe(&channel, queue).await?;
    let mut processed = Acknowledgements::default();
    let result = process_deliveries(app, &channel, queue, deliveries, handler, &mut processed).await;
    let acknowledged = processed.send().await;
    // Unacknowledged messages return to the queue in their order.
    let closed = with_timeout(channel.close(200, "the consumer ends".into())).await;
    result.and(acknowledged).and(closed)
}

/// Processes messages until the worker stops.
async fn process_deliveries(
    app: &App,
    channel: &Channel,
    queue: &str,
    mut deliveries: Consumer,
    handler: &impl QueueHandler,
    processed: &mut Acknowledgements,
) -> anyhow::Result<()> {
    let (mut arrived, mut length_read_at) = (VecDeque::new(), Instant::now());
    while !app.stop.is_cancelled() {
        if arrived.is_empty() {
            let next = next_delivery(&mut deliveries, handler, processed.due());
            match app.stop.run_until_cancelled(next).await {
                Some(Ok(next)) => arrived.push_back(next.context("the queue ended")??),
                Some(Err(IdleReason::AcknowledgementDue)) => processed.send().await?,
                Some(Err(IdleReason::Silence)) if app.broker.has_single_node() => (),
                Some(Err(IdleReason::Silence)) => return Err(SwitchNode.into()),
                None => (),
            }
            continue;
        }
        take_arrived(&mut deliveries, &mut arrived)?;
        let batch: Vec<_> = arrived.drain(..arrived.len().min(BATCH_SIZE)).collect();
        handler.process(app, &batch).await?;
        processed.add(&batch).await?;
        take_arrived(&mut deliveries, &mut arrived)?;
        let waiting = arrived.len() as u32;
        if arrived.len() < BATCH_SIZE {
            handler.set_waiting(waiting);
        } else if length_read_at.elapsed() > LENGTH_INTERVAL {
            // The broker delivers only a limited number of them.
            handler.set_waiting(waiting + bus::waiting_messages(channel, queue).await?);
            length_read_at = Instant::now();
        }
    }
    Ok(())
}

/// Why a consumer has no next message yet.
enum IdleReason {
    AcknowledgementDue,
    Silence,
}

/// Waits for a message, at most until processed messages have to be acknowledged.
async fn next_delivery(
    deliveries: &mut Consumer,
    handler: &impl QueueHandler,
    acknowledgement_due: Option<Instant>,
) -> Result<Option<lapin::Result<Delivery>>, IdleReason> {
    if let Some(due) = acknowledgement_due {
        return timeout_at(due, deliveries.next()).await.map_err(|_| IdleReason::AcknowledgementDue);
    }
    if let Ok(next) = timeout(LENGTH_INTERVAL, deliveries.next()).await {
        return Ok(next);
    }
    // After a second without a message the queue is empty, although the last batch may have been a full one.
    handler.set_waiting(0);
    timeout(SILENCE_LIMIT - LENGTH_INTERVAL, deliveries.next()).await.map_err(|_| IdleReason::Silence)
}

async fn subscribe(channel: &Channel, queue: &str) -> anyhow::Result<Consumer> {
    with_timeout(channel.basic_qos(PREFETCH, BasicQosOptions::default())).await?;
    let options = BasicConsumeOptions::default();
    with_timeout(channel.basic_consume(queue.into(), "".into(), options, FieldTable::default())).await
}

/// Takes the messages that are already here, without waiting for more.
fn take_arrived(deliveries: &mut Consumer, arrived: &mut VecDeque<Delivery>) -> anyhow::Result<()> {
    while let Some(next) = deliveries.next().now_or_never() {
        arrived.push_back(next.context("the queue ended")??);
    }
    Ok(())
}
