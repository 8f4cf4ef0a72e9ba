//! The consumers: they receive the messages of one queue in batches, and acknowledge each batch after its processing.

use std::{
    future::Future,
    marker::PhantomData,
    sync::Arc,
    time::{Duration, Instant},
};

use anyhow::Context;
use futures_util::{FutureExt, StreamExt};
use guildhall_common::{
    contract::command::{Domain, Envelope},
    platform::bus::{SwitchNode, Topology, supervise, with_timeout},
};
use lapin::{
    Channel, Connection, Consumer,
    message::Delivery,
    options::{BasicAckOptions, BasicConsumeOptions, BasicQosOptions},
    types::{AMQPValue, FieldTable},
};
use tokio::time::timeout;

use crate::{
    app::App,
    engine::{batch::process_batch, dead_letters, rule::Rules, trail::Trail, transaction::Accepted},
};

/// The maximum number of commands in one transaction.
const BATCH_SIZE: usize = 64;

/// The maximum number of unacknowledged messages: one batch in progress and one prefetched.
const PREFETCH: u16 = 2 * BATCH_SIZE as u16;

/// After this time without a message the consumer switches to another node of the cluster. A node that has lost its copy of the
/// queue, as RabbitMQ 3.10 may after a full disk, accepts the consumer and delivers nothing, without an error.
const SILENCE_LIMIT: Duration = Duration::from_secs(30);

/// Processes the messages of a queue.
trait QueueHandler {
    const ROLE: &'static str;

    fn queue(topology: &Topology) -> String;

    /// Processes a batch. The messages can be acknowledged when it returns.
    fn process(app: &App, batch: &[Delivery]) -> impl Future<Output = anyhow::Result<()>> + Send;
}

/// Handles the commands of a domain.
pub(crate) struct CommandHandler<D>(PhantomData<D>);

/// Handles the messages that the broker dead-lettered because it delivered them too often.
pub(crate) struct DeadLetterHandler;

/// Consumes a queue until the worker stops.
#[expect(private_bounds, reason = "there are no other handlers than these two")]
pub(crate) async fn run<H: QueueHandler>(app: App) {
    let run = |connection, _| consume::<H>(app.clone(), connection);
    supervise(app.broker.clone(), H::ROLE, app.stop.clone(), run).await;
}

async fn consume<H: QueueHandler>(app: App, connection: Arc<Connection>) -> anyhow::Result<()> {
    let channel = with_timeout(connection.create_channel()).await?;
    let mut deliveries = subscribe(&channel, &H::queue(&app.topology)).await?;
    while let Some(first) = app.stop.run_until_cancelled(timeout(SILENCE_LIMIT, deliveries.next())).await {
        let first = match first {
            Ok(first) => first.context("the queue ended")??,
            Err(_) if app.broker.has_single_node() => continue,
            Err(_) => return Err(SwitchNode.into()),
        };
        let batch = take_batch(first, &mut deliveries)?;
        H::process(&app, &batch).await?;
        acknowledge(&batch).await?;
    }
    // Unacknowledged messages return to the queue in their order.
    with_timeout(channel.close(200, "the worker stops".into())).await
}

async fn subscribe(channel: &Channel, queue: &str) -> anyhow::Result<Consumer> {
    with_timeout(channel.basic_qos(PREFETCH, BasicQosOptions::default())).await?;
    let options = BasicConsumeOptions::default();
    with_timeout(channel.basic_consume(queue.into(), "".into(), options, FieldTable::default())).await
}

/// Takes the messages that are already here, without waiting for more.
fn take_batch(first: Delivery, deliveries: &mut Consumer) -> anyhow::Result<Vec<Delivery>> {
    let mut batch = vec![first];
    while batch.len() < BATCH_SIZE {
        match deliveries.next().now_or_never() {
            Some(next) => batch.push(next.context("the queue ended")??),
            None => break,
        }
    }
    Ok(batch)
}

async fn acknowledge(batch: &[Delivery]) -> anyhow::Result<()> {
    let Some(last) = batch.last() else { return Ok(()) };
    // `multiple` acknowledges the messages before it too.
    let is_connected = with_timeout(last.ack(BasicAckOptions { multiple: true })).await?;
    anyhow::ensure!(is_connected, "the connection was lost before the acknowledgement");
    Ok(())
}

impl<D: Rules> QueueHandler for CommandHandler<D> {
    const ROLE: &'static str = D::NAME;

    fn queue(topology: &Topology) -> String {
        topology.commands::<D>()
    }

    async fn process(app: &App, batch: &[Delivery]) -> anyhow::Result<()> {
        let started = Instant::now();
        let accepted = decode::<D>(app, batch).await?;
        process_batch::<D>(app, &accepted).await?;
        metrics::counter!("guildhall_commands_settled_total", "domain" => D::NAME)
            .increment(batch.len() as u64);
        metrics::histogram!("guildhall_batch_seconds", "domain" => D::NAME).record(started.elapsed());
        Ok(())
    }
}

/// Decodes the messages. A message that cannot be decoded becomes a dead letter.
async fn decode<D: Domain>(app: &App, batch: &[Delivery]) -> anyhow::Result<Vec<Accepted<D>>> {
    let mut accepted = Vec::with_capacity(batch.len());
    for delivery in batch {
        match Envelope::decode(&delivery.data) {
            Ok(envelope) => accepted.push(Accepted {
                envelope,
                reply_to: delivery.properties.reply_to().as_ref().map(ToString::to_string),
                body: delivery.data.clone(),
            }),
            Err(error) => {
                let reason = format!("{error:#}");
                let trail = Trail::of_message(&delivery.data);
                trail.follow(dead_letters::store_command::<D>(app, &delivery.data, &reason)).await?;
            }
        }
    }
    Ok(accepted)
}

impl QueueHandler for DeadLetterHandler {
    const ROLE: &'static str = "dead";

    fn queue(topology: &Topology) -> String {
        topology.dead_letters()
    }

    async fn process(app: &App, batch: &[Delivery]) -> anyhow::Result<()> {
        for delivery in batch {
            let queue = original_queue(delivery);
            let reason = "it was delivered too often, so it may crash the worker";
            let trail = Trail::of_message(&delivery.data);
            trail.follow(dead_letters::store(app, &queue, &delivery.data, reason)).await?;
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
