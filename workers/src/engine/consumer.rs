//! The consumers: they receive the messages of one queue in batches, and acknowledge them after their processing.

use std::{collections::VecDeque, sync::Arc, time::Duration};

use anyhow::Context;
use futures_util::{FutureExt, StreamExt};
use guildhall_common::{
    contract::{
        command::{Domain, Envelope},
        message,
    },
    platform::{
        backoff::Backoff,
        bus::{self, GOOD_AFTER, SwitchNode, supervise, with_timeout},
    },
};
use lapin::{
    Channel, Connection, Consumer,
    message::Delivery,
    options::{BasicConsumeOptions, BasicQosOptions},
    types::{AMQPValue, FieldTable},
};
use tokio::time::{Instant, timeout, timeout_at};

use crate::{
    app::App,
    engine::{
        acknowledgements::{Acknowledgements, MAX_PENDING},
        backlog::Backlog,
        broker_connections::BrokerConnections,
        dead_letters,
        failure::catch_panic,
        lease::{Lease, LeaseLost},
        rule::Rules,
        throughput::{GroupCommit, MAX_COMMANDS},
        trail::Trail,
        transaction::Accepted,
    },
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
trait QueueHandler: Sync {
    /// Processes a batch. The messages can be acknowledged when it returns.
    fn process(&self, app: &App, batch: &[Delivery]) -> impl Future<Output = anyhow::Result<()>> + Send;

    /// This number of messages wait in the queue.
    fn set_waiting(&self, _messages: u32) {}
}

/// Handles the commands of one partition of a domain.
struct CommandHandler<D> {
    lease: Lease,
    backlog: Arc<Backlog>,
    group_commit: GroupCommit<D>,
}

/// Handles the messages that the broker dead-lettered because it delivered them too often.
struct DeadLetterHandler;

/// Consumes the queue of dead letters until the worker stops.
pub(crate) async fn run_dead_letters(app: App) {
    let queue = app.topology.dead_letters();
    let run = async |connection, _| consume(&app, connection, &queue, &DeadLetterHandler).await;
    supervise(app.broker.clone(), "dead", app.stop.clone(), run).await;
}

/// Consumes the queue of a partition until the lease is lost or `app.stop` is cancelled.
pub(super) async fn run_partition<D: Rules>(
    app: &App,
    connections: &BrokerConnections,
    lease: &Lease,
    group_commit: GroupCommit<D>,
    backlog: Arc<Backlog>,
) {
    let queue = app.topology.partition(D::NAME, lease.partition.number);
    let handler = CommandHandler { lease: lease.clone(), backlog, group_commit };
    let (mut backoff, mut previous) = (Backoff::default(), None);
    while let Some((node, shared)) = app.stop.run_until_cancelled(connections.any(previous)).await {
        previous = Some(node);
        let started = Instant::now();
        let consuming = catch_panic(consume(app, shared.connection.clone(), &queue, &handler));
        match shared.closed.run_until_cancelled(consuming).await {
            Some(Ok(())) => return,
            Some(Err(error)) if error.is::<LeaseLost>() => {
                tracing::warn!(queue, "the lease of the partition is lost");
                return;
            }
            Some(Err(error)) if error.is::<SwitchNode>() => continue,
            Some(Err(error)) => {
                tracing::warn!(queue, error = format!("{error:#}"), "consumer failed, connecting again");
                shared.fail();
            }
            None => (),
        }
        if started.elapsed() > GOOD_AFTER {
            backoff = Backoff::default();
        }
        app.stop.run_until_cancelled(backoff.wait()).await;
    }
}

async fn consume(
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
                Some(Err(Pause::AcknowledgementDue)) => processed.send().await?,
                Some(Err(Pause::Silence)) if app.broker.has_single_node() => (),
                Some(Err(Pause::Silence)) => return Err(SwitchNode.into()),
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
enum Pause {
    AcknowledgementDue,
    Silence,
}

/// Waits for a message, at most until processed messages have to be acknowledged.
async fn next_delivery(
    deliveries: &mut Consumer,
    handler: &impl QueueHandler,
    acknowledgement_due: Option<Instant>,
) -> Result<Option<lapin::Result<Delivery>>, Pause> {
    if let Some(due) = acknowledgement_due {
        return timeout_at(due, deliveries.next()).await.map_err(|_| Pause::AcknowledgementDue);
    }
    if let Ok(next) = timeout(LENGTH_INTERVAL, deliveries.next()).await {
        return Ok(next);
    }
    // After a second without a message the queue is empty, although the last batch may have been a full one.
    handler.set_waiting(0);
    timeout(SILENCE_LIMIT - LENGTH_INTERVAL, deliveries.next()).await.map_err(|_| Pause::Silence)
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

impl<D: Rules> QueueHandler for CommandHandler<D> {
    async fn process(&self, app: &App, batch: &[Delivery]) -> anyhow::Result<()> {
        let started = Instant::now();
        let accepted = decode::<D>(app, batch).await?;
        self.backlog.begin_batch(accepted.first().map(|oldest| oldest.envelope.accepted_at));
        let mut accepted = accepted.into_iter().peekable();
        while accepted.peek().is_some() {
            let commands = accepted.by_ref().take(MAX_COMMANDS).collect();
            // A batch can be retried for ever, and the broker delivers to the next owner of the lease only when this consumer has ended.
            let processing = self.group_commit.process(&self.lease, commands);
            self.lease.expired.run_until_cancelled(processing).await.ok_or(LeaseLost)??;
        }
        self.backlog.end_batch(batch.len(), started.elapsed());
        Ok(())
    }

    fn set_waiting(&self, messages: u32) {
        self.backlog.set_waiting(messages);
    }
}

/// Decodes the commands of the messages. One that cannot be decoded becomes a dead letter.
async fn decode<D: Domain>(app: &App, batch: &[Delivery]) -> anyhow::Result<Vec<Accepted<D>>> {
    let mut accepted = Vec::with_capacity(batch.len());
    for delivery in batch {
        let reply_to = delivery.properties.reply_to().as_ref().map(ToString::to_string);
        for body in message::split(&delivery.data) {
            match Envelope::decode(body) {
                Ok(envelope) => {
                    accepted.push(Accepted { envelope, reply_to: reply_to.clone(), body: body.to_vec() });
                }
                Err(error) => {
                    let reason = format!("{error:#}");
                    let trail = Trail::of_message(body);
                    trail.follow(dead_letters::store_command::<D>(app, body, &reason)).await?;
                }
            }
        }
    }
    Ok(accepted)
}

impl QueueHandler for DeadLetterHandler {
    async fn process(&self, app: &App, batch: &[Delivery]) -> anyhow::Result<()> {
        for delivery in batch {
            let queue = original_queue(delivery);
            let reason = "it was delivered too often, so it may crash the worker";
            for body in message::split(&delivery.data) {
                let trail = Trail::of_message(body);
                trail.follow(dead_letters::store(app, &queue, body, reason)).await?;
            }
        }
        Ok(())
    }
}

/// The queue from which the broker dead-lettered the message.
fn original_queue(delivery: &Delivery) -> String {
    let headers = delivery.properties.headers().as_ref();
    match headers.and_then(|headers| headers.inner().get("x-first-death-queue")) {
        Some(AMQPValue::LongString(queue)) => queue.to_string(),
        _ => delivery.routing_key.to_string(),
    }
}
