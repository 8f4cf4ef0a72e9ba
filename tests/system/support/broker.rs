//! Direct access to RabbitMQ.

use futures_util::StreamExt;
use guildhall_common::{
    contract::{command::Domain, guild::GuildCommand},
    platform::bus::{self, Message, connection::BrokerConnection},
};
use lapin::{
    Channel, Consumer,
    options::{BasicAckOptions, QueueDeclareOptions, QueueDeleteOptions},
    types::{AMQPValue, FieldTable},
};
use tokio::task::JoinHandle;

use super::{
    client::{Request, Response, send},
    site::Site,
    wait::{wait_until, with_hang_limit},
};

impl Site {
    /// A channel, and the connection that keeps it open.
    async fn channel(&self) -> (BrokerConnection, Channel) {
        let connection = self.workers.broker.connect("test").await.unwrap();
        let channel = connection.create_channel().await.unwrap();
        (connection, channel)
    }

    /// Publishes a message to the queue of guild commands, without an address for the reply.
    pub(crate) async fn publish_guild_command(&self, body: Vec<u8>) {
        self.publish_command::<GuildCommand>(body).await;
    }

    /// Publishes a message to the queue of a domain, without an address for the reply.
    pub(crate) async fn publish_command<D: Domain>(&self, body: Vec<u8>) {
        let message = Message {
            queue: self.workers.topology.partition(D::NAME, 0),
            message_id: String::new(),
            reply_to: None,
            body,
            is_command: false,
        };
        self.workers.publisher.publish(message).await.unwrap();
    }

    /// Takes one message from the queue of guild commands.
    pub(crate) async fn take_guild_command(&self) -> Vec<u8> {
        self.take_command::<GuildCommand>().await
    }

    /// Takes one message from the queue of a domain.
    pub(crate) async fn take_command<D: Domain>(&self) -> Vec<u8> {
        let (_connection, channel) = self.channel().await;
        let queue = self.workers.topology.partition(D::NAME, 0);
        let mut consumer = consume(&channel, &queue).await;
        let message = with_hang_limit("a message arrives", consumer.next()).await.unwrap().unwrap();
        message.ack(BasicAckOptions::default()).await.unwrap();
        channel.close(200, "taken".into()).await.unwrap();
        message.data
    }

    /// The number of messages that wait in the queue of a domain.
    pub(crate) async fn waiting_messages<D: Domain>(&self) -> u32 {
        let (_connection, channel) = self.channel().await;
        let queue = self.workers.topology.partition(D::NAME, 0);
        bus::waiting_messages(&channel, &queue).await.unwrap()
    }

    /// Sends a request, and waits until its command is in the queue of the domain. No worker may run.
    pub(crate) async fn queue<D: Domain>(&self, request: Request) -> JoinHandle<Response> {
        let before = self.waiting_messages::<D>().await;
        let response = tokio::spawn(send(request));
        wait_until("the command is queued", async || self.waiting_messages::<D>().await > before).await;
        response
    }

    /// Consumes the events that match a binding key, from now on.
    pub(crate) async fn consume_events(&self, binding_key: &str) -> (BrokerConnection, Consumer) {
        let (connection, channel) = self.channel().await;
        let exclusive = QueueDeclareOptions { exclusive: true, ..Default::default() };
        let queue = channel.queue_declare("".into(), exclusive, FieldTable::default()).await.unwrap();
        let (queue, exchange) = (queue.name().clone(), self.workers.topology.events());
        let (exchange, options, arguments) =
            (exchange.as_str().into(), Default::default(), FieldTable::default());
        channel.queue_bind(queue.clone(), exchange, binding_key.into(), options, arguments).await.unwrap();
        let consumer = consume(&channel, queue.as_str()).await;
        (connection, consumer)
    }

    /// Replaces the queue of dead letters by that of version 0.2.0.
    pub(crate) async fn replace_by_old_queue_of_dead_letters(&self) {
        let (_connection, channel) = self.channel().await;
        let queue = self.workers.topology.dead_letters();
        channel.queue_delete(queue.as_str().into(), QueueDeleteOptions::default()).await.unwrap();
        let mut arguments = FieldTable::default();
        for (name, value) in [("x-queue-type", "quorum"), ("x-overflow", "reject-publish")] {
            arguments.insert(name.into(), AMQPValue::LongString(value.into()));
        }
        let options = QueueDeclareOptions::durable();
        channel.queue_declare(queue.as_str().into(), options, arguments).await.unwrap();
    }

    /// Replaces a queue by one that rejects every message.
    pub(crate) async fn replace_by_full_queue(&self, queue: &str) {
        let (_connection, channel) = self.channel().await;
        channel.queue_delete(queue.into(), QueueDeleteOptions::default()).await.unwrap();
        let mut arguments = FieldTable::default();
        arguments.insert("x-max-length".into(), AMQPValue::LongInt(0));
        arguments.insert("x-overflow".into(), AMQPValue::LongString("reject-publish".into()));
        channel.queue_declare(queue.into(), QueueDeclareOptions::durable(), arguments).await.unwrap();
    }
}

async fn consume(channel: &Channel, queue: &str) -> Consumer {
    let (options, arguments) = (Default::default(), FieldTable::default());
    channel.basic_consume(queue.into(), "".into(), options, arguments).await.unwrap()
}
