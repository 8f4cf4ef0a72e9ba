//! The floor (d): a confirmed publish to a quorum queue, its consumer, and the reply, one message at a time.

use std::time::{Duration, Instant};

use anyhow::{Context, ensure};
use clap::Args;
use futures_util::StreamExt;
use guildhall_common::platform::bus::Broker;
use guildhall_testkit::percentiles::Percentiles;
use lapin::{
    BasicProperties, Channel, Consumer,
    options::{
        BasicAckOptions, BasicConsumeOptions, BasicPublishOptions, ConfirmSelectOptions, QueueDeclareOptions,
        QueueDeleteOptions,
    },
    types::{AMQPValue, FieldTable},
};
use serde::{Deserialize, Serialize};
use tokio::time::timeout;

const QUEUE: &str = "guildhall-bench.floor";

/// About the size of a command.
const MESSAGE: &[u8] = &[b'x'; 300];

/// Of a message: it is on disk before the confirm.
const PERSISTENT: u8 = 2;

/// The time limit of one message.
const TIME_LIMIT: Duration = Duration::from_secs(10);

#[derive(Args)]
pub(crate) struct QueueFloor {
    /// The duration of the measurement
    #[arg(long)]
    seconds: u64,

    /// RabbitMQ: amqp://user:password@host:port/vhost
    #[arg(long, env = "GUILDHALL_AMQP_URL", hide_env_values = true)]
    amqp_url: String,
}

#[derive(Serialize, Deserialize)]
pub(crate) struct MessageFigures {
    pub(crate) p50_ms: f64,
}

/// Measures and prints the result as JSON.
///
/// # Errors
/// When RabbitMQ fails, or a message gets no reply.
pub(crate) async fn measure(settings: &QueueFloor) -> anyhow::Result<()> {
    let broker = Broker::new(&settings.amqp_url)?;
    let (requests, consumers) = (broker.connect("floor").await?, broker.connect("floor-consumer").await?);
    let consumer = consumers.create_channel().await?;
    declare(&consumer, QUEUE).await?;
    let messages = consume(&consumer, QUEUE, false).await?;
    let replier = tokio::spawn(reply(consumer.clone(), messages));

    let channel = requests.create_channel().await?;
    channel.confirm_select(ConfirmSelectOptions::default()).await?;
    let queue = declare_replies(&channel).await?;
    let mut replies = consume(&channel, &queue, true).await?;

    let until = Instant::now() + Duration::from_secs(settings.seconds);
    let mut durations = Vec::new();
    while Instant::now() < until {
        let started = Instant::now();
        timeout(TIME_LIMIT, exchange(&channel, &queue, &mut replies)).await.context("no reply")??;
        durations.push(started.elapsed());
    }
    replier.abort();
    consumer.queue_delete(QUEUE.into(), QueueDeleteOptions::default()).await?;
    let p50 = durations.into_iter().collect::<Percentiles<Duration>>().percentile(50).unwrap_or_default();
    println!("{}", serde_json::to_string(&MessageFigures { p50_ms: p50.as_secs_f64() * 1000.0 })?);
    Ok(())
}

/// Declares a quorum queue.
pub(super) async fn declare(channel: &Channel, queue: &str) -> lapin::Result<()> {
    let mut arguments = FieldTable::default();
    arguments.insert("x-queue-type".into(), AMQPValue::LongString("quorum".into()));
    channel.queue_declare(queue.into(), QueueDeclareOptions::durable(), arguments).await?;
    Ok(())
}

/// Declares a queue for the replies of one process, and returns its name.
pub(super) async fn declare_replies(channel: &Channel) -> lapin::Result<String> {
    let exclusive = QueueDeclareOptions { exclusive: true, auto_delete: true, ..Default::default() };
    Ok(channel.queue_declare("".into(), exclusive, FieldTable::default()).await?.name().to_string())
}

pub(super) async fn consume(channel: &Channel, queue: &str, no_ack: bool) -> lapin::Result<Consumer> {
    let options = BasicConsumeOptions { no_ack, ..Default::default() };
    channel.basic_consume(queue.into(), "floor".into(), options, FieldTable::default()).await
}

/// Publishes a message, and waits for its confirm and for its reply.
async fn exchange(channel: &Channel, reply_to: &str, replies: &mut Consumer) -> anyhow::Result<()> {
    publish(channel, QUEUE, reply_to).await?;
    replies.next().await.context("the replies ended")??;
    Ok(())
}

/// Publishes a message, and waits for its confirm.
pub(super) async fn publish(channel: &Channel, queue: &str, reply_to: &str) -> anyhow::Result<()> {
    let properties = BasicProperties::default().with_delivery_mode(PERSISTENT).with_reply_to(reply_to.into());
    let options = BasicPublishOptions { mandatory: true, ..Default::default() };
    let confirm = channel.basic_publish("".into(), queue.into(), options, MESSAGE, properties).await?.await?;
    ensure!(confirm.is_ack(), "the broker did not confirm a message");
    Ok(())
}

/// Replies to each message and acknowledges it.
async fn reply(channel: Channel, mut messages: Consumer) -> anyhow::Result<()> {
    while let Some(message) = messages.next().await {
        let message = message?;
        let reply_to = message.properties.reply_to().clone().context("a message without reply_to")?;
        let (options, properties) = (BasicPublishOptions::default(), BasicProperties::default());
        channel.basic_publish("".into(), reply_to, options, MESSAGE, properties).await?.await?;
        message.ack(BasicAckOptions::default()).await?;
    }
    Ok(())
}
