//! The queues and exchanges: their names and their declaration.

use anyhow::Context;
use lapin::{
    Channel, ExchangeKind,
    options::{ExchangeDeclareOptions, QueueDeclareOptions},
    types::{AMQPValue, FieldTable},
};

use crate::contract::{DOMAINS, command::Domain};

/// The number of deliveries after which the broker dead-letters a message.
///
/// Only crashes of workers count, because a failing command is never returned to the queue. The limit is
/// explicit because the default of RabbitMQ 4 is 20.
const DELIVERY_LIMIT: i32 = 1000;

/// The names of all queues and exchanges. They begin with the namespace, so that sites can share a broker.
#[derive(Debug, Clone)]
pub struct Topology {
    namespace: String,
}

impl Topology {
    #[must_use]
    pub fn new(namespace: &str) -> Self {
        Self { namespace: namespace.to_owned() }
    }

    /// The queue of a domain.
    #[must_use]
    pub fn commands<D: Domain>(&self) -> String {
        self.queue(D::NAME)
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

    /// The names of all queues.
    #[must_use]
    pub fn queues(&self) -> Vec<String> {
        DOMAINS.iter().map(|name| self.queue(name)).chain([self.dead_letters()]).collect()
    }

    /// Declares the queues and exchanges that are missing.
    ///
    /// Never call it on the publish path: a quorum queue that is seconds old loses its messages when the broker is killed.
    ///
    /// # Errors
    /// A queue exists with other arguments, or the broker is unavailable.
    pub async fn declare(&self, channel: &Channel) -> anyhow::Result<()> {
        let durable = ExchangeDeclareOptions { durable: true, ..Default::default() };
        channel
            .exchange_declare(self.events().into(), ExchangeKind::Topic, durable, FieldTable::default())
            .await
            .context("cannot declare the exchange for events")?;
        for queue in self.queues() {
            channel
                .queue_declare(queue.as_str().into(), QueueDeclareOptions::durable(), self.arguments(&queue))
                .await
                .with_context(|| {
                    format!(
                        "cannot declare the queue {queue}. If it exists with other arguments, wait until it \
                         is empty, delete it (rabbitmqctl delete_queue {queue}) and start again"
                    )
                })?;
        }
        Ok(())
    }

    /// Checks that every queue exists. It declares nothing.
    ///
    /// # Errors
    /// Names the first queue that is missing.
    pub async fn check(&self, channel: &Channel) -> anyhow::Result<()> {
        self.waiting_messages(channel).await.map(drop)
    }

    /// Each queue with the number of messages that no consumer has received.
    ///
    /// # Errors
    /// Names the first queue that is missing.
    pub async fn waiting_messages(&self, channel: &Channel) -> anyhow::Result<Vec<(String, u32)>> {
        let passive = QueueDeclareOptions { passive: true, ..QueueDeclareOptions::durable() };
        let mut waiting = vec![];
        for name in self.queues() {
            let queue = channel
                .queue_declare(name.as_str().into(), passive, FieldTable::default())
                .await
                .with_context(|| format!("the queue {name} is missing. Run guildhall-workers migrate"))?;
            waiting.push((name, queue.message_count()));
        }
        Ok(waiting)
    }

    fn arguments(&self, queue: &str) -> FieldTable {
        let mut arguments = FieldTable::default();
        let mut text = |name: &str, value: &str| {
            arguments.insert(name.into(), AMQPValue::LongString(value.into()));
        };
        text("x-queue-type", "quorum");
        // At-least-once dead-lettering needs this. Without it, RabbitMQ loses dead letters.
        text("x-overflow", "reject-publish");
        if queue != self.dead_letters() {
            text("x-dead-letter-strategy", "at-least-once");
            text("x-dead-letter-exchange", "");
            text("x-dead-letter-routing-key", &self.dead_letters());
            arguments.insert("x-delivery-limit".into(), AMQPValue::LongInt(DELIVERY_LIMIT));
            // One worker processes a domain at a time, so commands keep their order and transactions do
            // not wait for each other. Another worker takes over within milliseconds.
            arguments.insert("x-single-active-consumer".into(), AMQPValue::Boolean(true));
        }
        arguments
    }
}
