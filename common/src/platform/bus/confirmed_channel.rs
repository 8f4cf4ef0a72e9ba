//! Channels on which the broker confirms each message.

use lapin::{
    BasicProperties, Channel, Connection,
    options::{BasicPublishOptions, ConfirmSelectOptions},
};

use super::message::{Message, PublishError};

/// The delivery mode for persistent messages (AMQP 0-9-1).
const PERSISTENT: u8 = 2;

pub(super) async fn open(connection: &Connection) -> lapin::Result<Channel> {
    let channel = connection.create_channel().await?;
    channel.confirm_select(ConfirmSelectOptions::default()).await?;
    Ok(channel)
}

/// The properties of a persistent message.
pub(super) fn properties(message_id: &str, reply_to: Option<&str>) -> BasicProperties {
    let properties = BasicProperties::default()
        .with_delivery_mode(PERSISTENT)
        .with_content_type("application/json".into())
        .with_message_id(message_id.into());
    match reply_to {
        Some(queue) => properties.with_reply_to(queue.into()),
        None => properties,
    }
}

/// Publishes a message and waits for the confirm. There must be no other publish in flight on the channel: lapin mixes up which of them the broker has
/// returned.
pub(super) async fn publish(channel: &Channel, message: &Message) -> Result<(), PublishError> {
    let properties = properties(&message.message_id, message.reply_to.as_deref());
    // Without `mandatory`, the broker confirms a message for a queue that does not exist.
    let options = BasicPublishOptions { mandatory: true, immediate: false };
    let queue = message.queue.as_str().into();
    let unknown = |_| PublishError::Unknown;
    let confirm = channel.basic_publish("".into(), queue, options, &message.body, properties).await;
    match confirm.map_err(unknown)?.await.map_err(unknown)? {
        lapin::Confirmation::Ack(None) => Ok(()),
        _ => Err(PublishError::Rejected),
    }
}
