//! The queues and exchanges, and their one declaration.

use anyhow::Context;
use lapin::{
    Channel, ExchangeKind,
    options::{ExchangeDeclareOptions, QueueDeclareOptions},
    types::{AMQPValue, FieldTable},
};

use crate::command::Domain;

/// How often a message is handed out before the broker itself takes it aside.
/// Only crashes count towards it (a failing command is never given back), and
/// the limit is set because RabbitMQ 4 would otherwise make it 20.
const DELIVERY_LIMIT: i32 = 1000;

/// Names everything after the namespace, so that several sites share a broker.
#[derive(Debug, Clone)]
pub struct Topology {
    namespace: String,
}

impl Topology {
    #[must_use]
    pub fn new(namespace: &str) -> Self {
        Self { namespace: namespace.to_owned() }
    }

    /// The queue of a domain's commands.
    #[must_use]
    pub fn commands<D: Domain>(&self) -> String {
        self.queue(D::NAME)
    }

    /// Where the broker puts what it handed out too often.
    #[must_use]
    pub fn dead(&self) -> String {
        self.queue("dead")
    }

    /// The topic exchange of the events.
    #[must_use]
    pub fn events(&self) -> String {
        format!("{}.events", self.namespace)
    }

    fn queue(&self, name: &str) -> String {
        format!("{}.{name}", self.namespace)
    }

    /// All queues.
    #[must_use]
    pub fn queues(&self) -> Vec<String> {
        let domains = [
            crate::account::AccountCommand::NAME,
            crate::game::GameCommand::NAME,
            crate::guild::GuildCommand::NAME,
            crate::news::NewsCommand::NAME,
            crate::payments::PaymentCommand::NAME,
            crate::shop::ShopCommand::NAME,
        ];
        domains.iter().map(|name| self.queue(name)).chain([self.dead()]).collect()
    }

    /// Declares what is missing. Done at start-up and never on the publish path: a
    /// quorum queue that is seconds old does not survive the broker's death.
    ///
    /// # Errors
    /// When a queue exists with other arguments, or the broker is away.
    pub async fn declare(&self, channel: &Channel) -> anyhow::Result<()> {
        let durable = ExchangeDeclareOptions { durable: true, ..Default::default() };
        channel
            .exchange_declare(self.events().into(), ExchangeKind::Topic, durable, FieldTable::default())
            .await
            .context("declaring the exchange of the events")?;
        for queue in self.queues() {
            channel
                .queue_declare(queue.as_str().into(), QueueDeclareOptions::durable(), self.arguments(&queue))
                .await
                .with_context(|| {
                    format!(
                        "declaring the queue {queue}; if it exists with other arguments, let it run \
                         empty, delete it (rabbitmqctl delete_queue {queue}) and start again"
                    )
                })?;
        }
        Ok(())
    }

    /// Checks that every queue is there, without making any.
    ///
    /// # Errors
    /// Names the first that is missing.
    pub async fn check(&self, channel: &Channel) -> anyhow::Result<()> {
        let passive = QueueDeclareOptions { passive: true, ..QueueDeclareOptions::durable() };
        for queue in self.queues() {
            channel
                .queue_declare(queue.as_str().into(), passive, FieldTable::default())
                .await
                .with_context(|| format!("the queue {queue} is missing: run guildhall-workers migrate"))?;
        }
        Ok(())
    }

    fn arguments(&self, queue: &str) -> FieldTable {
        let mut arguments = FieldTable::default();
        let mut text = |name: &str, value: &str| {
            arguments.insert(name.into(), AMQPValue::LongString(value.into()));
        };
        text("x-queue-type", "quorum");
        // Also what at-least-once dead-lettering needs: without it dead letters get lost.
        text("x-overflow", "reject-publish");
        if queue != self.dead() {
            text("x-dead-letter-strategy", "at-least-once");
            text("x-dead-letter-exchange", "");
            text("x-dead-letter-routing-key", &self.dead());
            arguments.insert("x-delivery-limit".into(), AMQPValue::LongInt(DELIVERY_LIMIT));
            // One worker applies a domain at a time: commands keep their order, and
            // transactions do not fight over rows. Another takes over in milliseconds.
            arguments.insert("x-single-active-consumer".into(), AMQPValue::Boolean(true));
        }
        arguments
    }
}
