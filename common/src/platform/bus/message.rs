//! Messages, and why one is not published.

use std::time::Duration;

/// The longest wait before a message is sent: for a connection, and for the messages before it.
pub(super) const READY_TIMEOUT: Duration = Duration::from_secs(1);

/// The longest wait for a confirm.
pub(super) const CONFIRM_TIMEOUT: Duration = Duration::from_secs(4);

/// A message for a queue.
#[derive(Debug, Clone)]
pub struct Message {
    pub queue: String,
    pub message_id: String,
    pub reply_to: Option<String>,
    pub body: Vec<u8>,
    /// Whether the body is one command, as JSON. Commands that wait for the same queue are published as one message.
    pub is_command: bool,
}

/// An event for a topic exchange.
#[derive(Debug)]
pub struct EventMessage {
    pub topic: String,
    pub message_id: String,
    pub body: Vec<u8>,
}

/// Why a message was not published.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum PublishError {
    /// There is no connection. Nothing was sent.
    #[error("there is no connection to RabbitMQ")]
    Unavailable,
    /// The broker rejected the message: the queue is full or missing.
    #[error("RabbitMQ rejected the message")]
    Rejected,
    /// The message was sent but not confirmed. It may be in the queue. Publish it again with the same id.
    #[error("RabbitMQ did not confirm the message")]
    Unknown,
}
