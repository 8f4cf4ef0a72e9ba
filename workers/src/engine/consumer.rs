//! The consumer of one domain's queue.

use std::{
    future::Future,
    marker::PhantomData,
    sync::Arc,
    time::{Duration, Instant},
};

use anyhow::Context;
use futures_util::{FutureExt, StreamExt};
use guildhall_common::{
    contract::command::Envelope,
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
    engine::{
        batch::{self, Accepted},
        dead_letters,
        rule::Rules,
    },
};

/// Commands applied in one transaction, at most.
const BATCH: usize = 64;

/// Handed out and not acknowledged, at most: one batch in work and one waiting.
const PREFETCH: u16 = 2 * BATCH as u16;

/// After so long without a message another node is asked. One that has lost its copy of the queue, as RabbitMQ 3.10 may
/// when its disk was full, takes the consumer, hands it nothing, and does not say so.
const SILENT_FOR: Duration = Duration::from_secs(30);

/// What is done with the messages of a queue.
trait Handler {
    const ROLE: &'static str;

    fn queue(topology: &Topology) -> String;

    /// When it returns, the messages may be acknowledged.
    fn settle(site: &App, batch: &[Delivery]) -> impl Future<Output = anyhow::Result<()>> + Send;
}

/// Applies the commands of a domain.
pub(crate) struct Commands<D>(PhantomData<D>);

/// Keeps what the broker itself took aside after handing it out too often.
pub(crate) struct Dead;

/// Consumes a queue until told to stop.
#[expect(private_bounds, reason = "the two handlers are all there are")]
pub(crate) async fn run<H: Handler>(site: App) {
    let run = |connection, _| consume::<H>(site.clone(), connection);
    supervise(site.broker.clone(), H::ROLE, site.stop.clone(), run).await;
}

async fn consume<H: Handler>(site: App, connection: Arc<Connection>) -> anyhow::Result<()> {
    let channel = with_timeout(connection.create_channel()).await?;
    let mut deliveries = subscribe(&channel, &H::queue(&site.topology)).await?;
    while let Some(first) = site.stop.run_until_cancelled(timeout(SILENT_FOR, deliveries.next())).await {
        let first = match first {
            Ok(first) => first.context("the queue ended")??,
            Err(_) if site.broker.has_single_node() => continue,
            Err(_) => return Err(SwitchNode.into()),
        };
        let batch = take_batch(first, &mut deliveries)?;
        H::settle(&site, &batch).await?;
        if let Some(last) = batch.last() {
            let all_up_to_it = BasicAckOptions { multiple: true };
            anyhow::ensure!(
                with_timeout(last.ack(all_up_to_it)).await?,
                "the connection was gone before the acknowledgement"
            );
        }
    }
    // What is left unacknowledged goes back to the queue, in its order.
    with_timeout(channel.close(200, "the worker stops".into())).await
}

async fn subscribe(channel: &Channel, queue: &str) -> anyhow::Result<Consumer> {
    with_timeout(channel.basic_qos(PREFETCH, BasicQosOptions::default())).await?;
    let options = BasicConsumeOptions::default();
    with_timeout(channel.basic_consume(queue.into(), "".into(), options, FieldTable::default())).await
}

/// What is there already, without waiting for more.
fn take_batch(first: Delivery, deliveries: &mut Consumer) -> anyhow::Result<Vec<Delivery>> {
    let mut batch = vec![first];
    while batch.len() < BATCH {
        match deliveries.next().now_or_never() {
            Some(next) => batch.push(next.context("the queue ended")??),
            None => break,
        }
    }
    Ok(batch)
}

impl<D: Rules> Handler for Commands<D> {
    const ROLE: &'static str = D::NAME;

    fn queue(topology: &Topology) -> String {
        topology.commands::<D>()
    }

    async fn settle(site: &App, batch: &[Delivery]) -> anyhow::Result<()> {
        let began = Instant::now();
        let mut accepted = Vec::with_capacity(batch.len());
        for delivery in batch {
            match Envelope::decode(&delivery.data) {
                Ok(envelope) => accepted.push(Accepted {
                    envelope,
                    reply_to: delivery.properties.reply_to().as_ref().map(ToString::to_string),
                    body: delivery.data.clone(),
                }),
                Err(error) => dead_letters::bury::<D>(site, &delivery.data, &format!("{error:#}")).await?,
            }
        }
        batch::settle::<D>(site, &accepted).await?;
        metrics::counter!("guildhall_commands_settled_total", "domain" => D::NAME)
            .increment(batch.len() as u64);
        metrics::histogram!("guildhall_batch_seconds", "domain" => D::NAME).record(began.elapsed());
        Ok(())
    }
}

impl Handler for Dead {
    const ROLE: &'static str = "dead";

    fn queue(topology: &Topology) -> String {
        topology.dead_letters()
    }

    async fn settle(site: &App, batch: &[Delivery]) -> anyhow::Result<()> {
        for delivery in batch {
            let reason = "it was handed out too often: it may bring the worker down";
            dead_letters::keep(site, &origin(delivery), &delivery.data, reason).await?;
        }
        Ok(())
    }
}

/// The queue that a dead-lettered message was in.
fn origin(delivery: &Delivery) -> String {
    let headers = delivery.properties.headers().as_ref();
    match headers.and_then(|headers| headers.inner().get("x-first-death-queue")) {
        Some(AMQPValue::LongString(queue)) => queue.to_string(),
        _ => delivery.routing_key.to_string(),
    }
}
