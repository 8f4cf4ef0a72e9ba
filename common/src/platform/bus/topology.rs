//! The queues and exchanges: their names and their declaration.

use std::sync::{
    Arc,
    atomic::{AtomicU16, Ordering},
};

use anyhow::Context;
use lapin::{
    Channel, Connection, ErrorKind, ExchangeKind,
    options::{ExchangeDeclareOptions, QueueDeclareOptions},
    types::{AMQPValue, FieldTable},
};

use super::connection::with_timeout;
use crate::contract::{DOMAINS, actor::Actor, command::Domain};

/// The number of deliveries after which the broker dead-letters a message.
///
/// Only crashes of workers count, because a failing command is never returned to the queue. The limit is
/// explicit because the default of RabbitMQ 4 is 20.
const DELIVERY_LIMIT: i32 = 1000;

/// The same for the queue of dead letters. RabbitMQ would drop a message, because no queue is left for it.
const DEAD_LETTER_DELIVERY_LIMIT: i32 = i32::MAX;

/// The code of the AMQP error for a queue that does not exist.
const NOT_FOUND: u16 = 404;

/// The domain and the number of each partition, if commands are spread over this number of partitions.
pub fn partitions(count: u16) -> impl Iterator<Item = (&'static str, u16)> {
    DOMAINS.iter().flat_map(move |&(domain, is_partitioned)| {
        let last = if is_partitioned && count > 1 { count } else { 0 };
        (0..=last).map(move |number| (domain, number))
    })
}

/// The number of messages in a queue that no consumer has received.
///
/// # Errors
/// The queue is missing, or the broker is unavailable.
pub async fn waiting_messages(channel: &Channel, queue: &str) -> anyhow::Result<u32> {
    let passive = QueueDeclareOptions { passive: true, ..QueueDeclareOptions::durable() };
    let queue = with_timeout(channel.queue_declare(queue.into(), passive, FieldTable::default()))
        .await
        .with_context(|| format!("the queue {queue} is missing. Run guildhall-workers migrate"))?;
    Ok(queue.message_count())
}

/// Whether the broker has said that a queue does not exist.
fn is_not_found(error: &anyhow::Error) -> bool {
    let kind = error.downcast_ref::<lapin::Error>().map(lapin::Error::kind);
    matches!(kind, Some(ErrorKind::ProtocolError(error)) if error.get_id() == NOT_FOUND)
}

/// The names of all queues and exchanges. They begin with the namespace, so that sites can share a broker.
#[derive(Debug, Clone)]
pub struct Topology {
    namespace: String,
    /// The number of partitions of a domain, which the clones share.
    partitions: Arc<AtomicU16>,
}

impl Topology {
    /// The names for one partition per domain, until the number of the site is known.
    #[must_use]
    pub fn new(namespace: &str) -> Self {
        Self { namespace: namespace.to_owned(), partitions: Arc::new(AtomicU16::new(1)) }
    }

    /// The names for this number of partitions. Other clones keep theirs.
    #[must_use]
    pub fn with_partitions(&self, count: u16) -> Self {
        Self { namespace: self.namespace.clone(), partitions: Arc::new(AtomicU16::new(count)) }
    }

    /// Changes the number of partitions over which commands are spread.
    pub fn set_partitions(&self, count: u16) {
        self.partitions.store(count, Ordering::Relaxed);
    }

    /// The queue for a command.
    #[must_use]
    pub fn queue_for<D: Domain>(&self, command: &D, actor: Actor) -> String {
        let key = command.partition_key(actor).filter(|_| D::IS_PARTITIONED);
        let count = self.partitions.load(Ordering::Relaxed);
        self.partition(D::NAME, key.map_or(0, |key| key.partition(count)))
    }

    /// The queue of a partition. Partition 0 has the name of the domain.
    #[must_use]
    pub fn partition(&self, domain: &str, number: u16) -> String {
        match number {
            0 => self.queue(domain),
            _ => self.queue(&format!("{domain}.{number}")),
        }
    }

    /// The queue of messages that the broker dead-lettered.
    #[must_use]
    pub fn dead_letters(&self) -> String {
        self.queue("dead")
    }

    /// The topic exchange for events.
    #[must_use]
    pub fn events(&self) -> String {
        format!("{}.events", self.namespace)
    }

    fn queue(&self, name: &str) -> String {
        format!("{}.{name}", self.namespace)
    }

    /// The names of all queues to which messages are published.
    #[must_use]
    pub fn queues(&self) -> Vec<String> {
        self.partition_queues().chain([self.dead_letters()]).collect()
    }

    fn partition_queues(&self) -> impl Iterator<Item = String> {
        let partitions = partitions(self.partitions.load(Ordering::Relaxed));
        partitions.map(|(domain, number)| self.partition(domain, number))
    }

    /// Declares the queues and exchanges that are missing.
    ///
    /// Never call it on the publish path: a quorum queue that is seconds old loses its messages when the broker is killed.
    ///
    /// # Errors
    /// A queue exists with other arguments, or the broker is unavailable.
    pub async fn declare(&self, connection: &Connection) -> anyhow::Result<()> {
        let channel = connection.create_channel().await?;
        let durable = ExchangeDeclareOptions { durable: true, ..Default::default() };
        channel
            .exchange_declare(self.events().into(), ExchangeKind::Topic, durable, FieldTable::default())
            .await
            .context("cannot declare the exchange for events")?;
        for queue in self.partition_queues() {
            declare_queue(&channel, &queue, self.partition_arguments()).await?;
        }
        // lapin refuses to close a connection with a channel that is being closed.
        channel.close(200, "declared".into()).await?;
        self.declare_dead_letters(connection).await
    }

    /// Declares the queue of dead letters. Until version 0.2.0 it had no limit of its own, and a queue keeps its arguments.
    async fn declare_dead_letters(&self, connection: &Connection) -> anyhow::Result<()> {
        let (queue, mut arguments) = (self.dead_letters(), quorum_arguments());
        let arguments_before = arguments.clone();
        arguments.insert("x-delivery-limit".into(), AMQPValue::LongInt(DEAD_LETTER_DELIVERY_LIMIT));
        let mut channel = connection.create_channel().await?;
        if let Err(error) = declare_queue(&channel, &queue, arguments).await {
            // RabbitMQ has closed the channel.
            channel = connection.create_channel().await?;
            declare_queue(&channel, &queue, arguments_before).await.map_err(|_| error)?;
            tracing::warn!(
                queue,
                "the queue has no limit of deliveries of its own, so RabbitMQ 4 drops a message after 20. When the \
                 queue is empty, delete it (rabbitmqctl delete_queue {queue}) and run this command again"
            );
        }
        channel.close(200, "declared".into()).await?;
        Ok(())
    }

    /// Checks that every queue exists. It declares nothing.
    ///
    /// # Errors
    /// Names the first queue that is missing.
    pub async fn check(&self, channel: &Channel) -> anyhow::Result<()> {
        for queue in self.queues() {
            waiting_messages(channel, &queue).await?;
        }
        Ok(())
    }

    /// The last partition of a domain with a queue. It looks for the queues after partition `last`, up to the first one that is missing,
    /// and declares nothing.
    ///
    /// # Errors
    /// The broker is unavailable.
    pub async fn last_existing(
        &self,
        connection: &Connection,
        domain: &str,
        mut last: u16,
    ) -> anyhow::Result<u16> {
        let channel = with_timeout(connection.create_channel()).await?;
        loop {
            match waiting_messages(&channel, &self.partition(domain, last + 1)).await {
                Ok(_) => last += 1,
                // RabbitMQ has closed the channel.
                Err(error) if is_not_found(&error) => return Ok(last),
                Err(error) => return Err(error),
            }
        }
    }

    fn partition_arguments(&self) -> FieldTable {
        let mut arguments = quorum_arguments();
        let mut text = |name: &str, value: &str| {
            arguments.insert(name.into(), AMQPValue::LongString(value.into()));
        };
        text("x-dead-letter-strategy", "at-least-once");
        text("x-dead-letter-exchange", "");
        text("x-dead-letter-routing-key", &self.dead_letters());
        arguments.insert("x-delivery-limit".into(), AMQPValue::LongInt(DELIVERY_LIMIT));
        // One worker has the lease of a partition, so commands keep their order. This argument protects the order
        // while a lease changes its worker.
        arguments.insert("x-single-active-consumer".into(), AMQPValue::Boolean(true));
        arguments
    }
}

fn quorum_arguments() -> FieldTable {
    let mut arguments = FieldTable::default();
    arguments.insert("x-queue-type".into(), AMQPValue::LongString("quorum".into()));
    // At-least-once dead-lettering needs this. Without it, RabbitMQ loses dead letters.
    arguments.insert("x-overflow".into(), AMQPValue::LongString("reject-publish".into()));
    arguments
}

async fn declare_queue(channel: &Channel, queue: &str, arguments: FieldTable) -> anyhow::Result<()> {
    let declared = channel.queue_declare(queue.into(), QueueDeclareOptions::durable(), arguments).await;
    declared.map(drop).with_context(|| {
        format!(
            "cannot declare the queue {queue}. If it exists with other arguments, wait until it is empty, delete it \
             (rabbitmqctl delete_queue {queue}) and start again"
        )
    })
}
