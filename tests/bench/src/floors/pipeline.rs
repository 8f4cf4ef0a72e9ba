//! The floor (e): the commands of several clients through quorum queues and transactions, without anything else.
//!
//! Each message is confirmed, received by a consumer, written to Postgres by one update and one insert, replied to and acknowledged.
//! A consumer writes the messages that are already there in one transaction. Eight queues have a consumer each.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use anyhow::Context;
use clap::Args;
use futures_util::{FutureExt, StreamExt, future::try_join_all};
use guildhall_common::platform::bus::Broker;
use lapin::{
    BasicProperties, Channel, Consumer,
    message::Delivery,
    options::{
        BasicAckOptions, BasicPublishOptions, BasicQosOptions, ConfirmSelectOptions, QueueDeleteOptions,
    },
};
use serde::{Deserialize, Serialize};
use sqlx::{ConnectOptions, Executor, PgConnection};
use tokio::{sync::Semaphore, task::JoinSet, time::timeout};

use super::{postgres, queue};

const QUEUES: usize = 8;

/// The largest number of messages in a transaction, as in a worker.
const BATCH_SIZE: usize = 64;

/// The rows that the updates of one consumer choose from.
const GUILDS_PER_QUEUE: i64 = 25;

/// The time limit of one message.
const TIME_LIMIT: Duration = Duration::from_secs(10);

#[derive(Args)]
pub(crate) struct PipelineFloor {
    /// The number of clients. Each waits for the reply to its message before it sends the next one
    #[arg(long)]
    clients: usize,

    /// The duration of the measurement
    #[arg(long)]
    seconds: u64,

    /// Postgres: postgres://user:password@host:port/database
    #[arg(long, env = "GUILDHALL_DATABASE_URL", hide_env_values = true)]
    database_url: String,

    /// RabbitMQ: amqp://user:password@host:port/vhost
    #[arg(long, env = "GUILDHALL_AMQP_URL", hide_env_values = true)]
    amqp_url: String,
}

#[derive(Serialize, Deserialize)]
pub(crate) struct PipelineFigures {
    pub(crate) per_second: f64,
}

/// Measures and prints the result as JSON.
///
/// # Errors
/// When a server fails, or a message gets no reply.
pub(crate) async fn measure(settings: &PipelineFloor) -> anyhow::Result<()> {
    let broker = Broker::new(&settings.amqp_url)?;
    let (clients, consumers) = (broker.connect("floor").await?, broker.connect("floor-consumer").await?);
    let (options, tables) = postgres::create_tables(&settings.database_url).await?;
    let mut running = JoinSet::new();
    for (number, first_guild) in (0..QUEUES).zip((1..).step_by(GUILDS_PER_QUEUE as usize)) {
        let channel = consumers.create_channel().await?;
        queue::declare(&channel, &queue_name(number)).await?;
        channel.basic_qos(2 * BATCH_SIZE as u16, BasicQosOptions::default()).await?;
        let messages = queue::consume(&channel, &queue_name(number), false).await?;
        running.spawn(process(channel, messages, options.connect().await?, first_guild));
    }

    let channel = clients.create_channel().await?;
    channel.confirm_select(ConfirmSelectOptions::default()).await?;
    let reply_to = queue::declare_replies(&channel).await?;
    let mut replies = queue::consume(&channel, &reply_to, true).await?;
    // It does not matter which client gets which reply.
    let replied = Arc::new(Semaphore::new(0));
    let counter = replied.clone();
    running.spawn(async move {
        while let Some(reply) = replies.next().await {
            reply?;
            counter.add_permits(1);
        }
        anyhow::bail!("the replies ended")
    });
    let started = Instant::now();
    let until = started + Duration::from_secs(settings.seconds);
    let clients = (0..settings.clients).map(|number| {
        let (channel, replied, reply_to) = (channel.clone(), replied.clone(), reply_to.clone());
        tokio::spawn(send(channel, queue_name(number % QUEUES), reply_to, replied, until))
    });
    let sent: u64 = try_join_all(clients).await?.into_iter().sum::<anyhow::Result<u64>>()?;
    let per_second = sent as f64 / started.elapsed().as_secs_f64();
    println!("{}", serde_json::to_string(&PipelineFigures { per_second })?);
    running.shutdown().await;
    let channel = consumers.create_channel().await?;
    for number in 0..QUEUES {
        channel.queue_delete(queue_name(number).into(), QueueDeleteOptions::default()).await?;
    }
    Ok(postgres::drop_tables(tables).await?)
}

fn queue_name(number: usize) -> String {
    format!("guildhall-bench.floor.{number}")
}

/// Sends one message after the other, and returns their number.
async fn send(
    channel: Channel,
    queue: String,
    reply_to: String,
    replied: Arc<Semaphore>,
    until: Instant,
) -> anyhow::Result<u64> {
    let mut sent = 0;
    while Instant::now() < until {
        queue::publish(&channel, &queue, &reply_to).await?;
        timeout(TIME_LIMIT, replied.acquire()).await.context("no reply")??.forget();
        sent += 1;
    }
    Ok(sent)
}

/// Writes, replies to and acknowledges the messages of a queue.
async fn process(
    channel: Channel,
    mut messages: Consumer,
    mut connection: PgConnection,
    first_guild: i64,
) -> anyhow::Result<()> {
    let mut written = 0;
    while let Some(first) = messages.next().await {
        let mut batch = vec![first?];
        while batch.len() < BATCH_SIZE
            && let Some(Some(next)) = messages.next().now_or_never()
        {
            batch.push(next?);
        }
        connection.execute("begin").await?;
        for _ in &batch {
            written += 1;
            let guild = first_guild + written % GUILDS_PER_QUEUE;
            postgres::write(&mut connection, guild, &format!("message {written}")).await?;
        }
        connection.execute("commit").await?;
        for message in &batch {
            reply(&channel, message).await?;
        }
        if let Some(last) = batch.last() {
            last.ack(BasicAckOptions { multiple: true }).await?;
        }
    }
    Ok(())
}

async fn reply(channel: &Channel, message: &Delivery) -> anyhow::Result<()> {
    let reply_to = message.properties.reply_to().clone().context("a message without reply_to")?;
    let (options, properties) = (BasicPublishOptions::default(), BasicProperties::default());
    channel.basic_publish("".into(), reply_to, options, b"{}", properties).await?.await?;
    Ok(())
}
