//! Publishing to queues. Each queue has a channel with one publish in flight, because lapin mixes up the confirms of publishes
//! that share a channel.
//!
//! Commands that arrive meanwhile are published together as the next message. So the more commands arrive, the less each one costs
//! the broker, and a single one does not wait.

use std::{
    collections::{HashMap, VecDeque},
    mem,
    sync::Arc,
};

use lapin::{Channel, Connection};
use parking_lot::Mutex;
use tokio::{
    sync::{Notify, oneshot},
    time::{Instant, timeout},
};
use tokio_util::sync::CancellationToken;

use super::{
    confirmed_channel,
    message::{CONFIRM_TIMEOUT, Message, PublishError, READY_TIMEOUT},
};
use crate::contract::message as commands;

/// The maximum number of commands in a message.
const MAX_COMMANDS: usize = 64;

/// A message gets no more commands from this size on, in bytes.
const FULL_BYTES: usize = 64 * 1024;

/// The publishers of all queues, on one connection.
pub(super) struct QueuePublishers(Arc<Shared>);

struct Shared {
    connection: Arc<Connection>,
    queues: Mutex<HashMap<String, QueuePublisher>>,
    /// Notified when the connection has to be replaced.
    failed: Arc<Notify>,
    closed: CancellationToken,
}

/// The publisher of one queue.
#[derive(Default)]
struct QueuePublisher {
    waiting: VecDeque<Waiting>,
    /// Whether a task publishes the waiting messages.
    is_running: bool,
    /// The channel while no task runs. None before the first message, and after a failure.
    channel: Option<Channel>,
}

struct Waiting {
    message: Message,
    since: Instant,
    done: oneshot::Sender<Result<(), PublishError>>,
}

impl QueuePublishers {
    pub(super) fn new(connection: Arc<Connection>, failed: Arc<Notify>, closed: CancellationToken) -> Self {
        Self(Arc::new(Shared { connection, queues: Mutex::default(), failed, closed }))
    }

    /// Publishes a message, and waits for the confirm. A message that is sent is confirmed or fails, also when the caller is dropped.
    pub(super) async fn publish(&self, message: Message) -> Result<(), PublishError> {
        let (done, published) = oneshot::channel();
        if let Some((queue, channel)) = self.0.enqueue(Waiting { message, since: Instant::now(), done }) {
            tokio::spawn(self.0.clone().publish_waiting(queue, channel));
        }
        published.await.unwrap_or(Err(PublishError::Unknown))
    }
}

impl Shared {
    /// Adds a message to the waiting ones. If no task publishes them, the caller has to start it, with the channel of the queue.
    fn enqueue(&self, waiting: Waiting) -> Option<(String, Option<Channel>)> {
        let mut queues = self.queues.lock();
        let queue = waiting.message.queue.clone();
        let publisher = queues.entry(queue.clone()).or_default();
        publisher.waiting.push_back(waiting);
        let starts = !mem::replace(&mut publisher.is_running, true);
        starts.then(|| (queue, publisher.channel.take()))
    }

    /// Publishes until no message waits.
    async fn publish_waiting(self: Arc<Self>, queue: String, mut channel: Option<Channel>) {
        while let Some(group) = self.next_group(&queue, &mut channel) {
            let (messages, done): (Vec<_>, Vec<_>) =
                group.into_iter().map(|waiting| (waiting.message, waiting.done)).unzip();
            let published = self.publish_group(&mut channel, messages).await;
            if matches!(published, Err(PublishError::Unknown | PublishError::Unavailable)) {
                // A confirm may still arrive on this channel.
                channel = None;
                self.failed.notify_one();
            }
            for done in done {
                // An error means that the caller was dropped.
                let _ = done.send(published);
            }
        }
    }

    /// Takes the messages that are published next, as one: commands, or any other message alone. If none waits, the
    /// queue gets its channel back.
    fn next_group(&self, queue: &str, channel: &mut Option<Channel>) -> Option<Vec<Waiting>> {
        let mut queues = self.queues.lock();
        let publisher = queues.get_mut(queue)?;
        publisher.drop_late();
        let Some(first) = publisher.waiting.pop_front() else {
            publisher.is_running = false;
            publisher.channel = channel.take();
            return None;
        };
        let mut bytes = first.message.body.len();
        let mut group = vec![first];
        while group.len() < MAX_COMMANDS && bytes < FULL_BYTES {
            let fits = |next: &mut Waiting| can_be_joined(&group[0].message, &next.message);
            let Some(next) = publisher.waiting.pop_front_if(fits) else { break };
            bytes += next.message.body.len();
            let first = &mut group[0].message;
            first.reply_to = first.reply_to.take().or_else(|| next.message.reply_to.clone());
            group.push(next);
        }
        Some(group)
    }

    async fn publish_group(
        &self,
        channel: &mut Option<Channel>,
        messages: Vec<Message>,
    ) -> Result<(), PublishError> {
        if channel.is_none() {
            let opened = self.limit(confirmed_channel::open(&self.connection)).await;
            *channel = opened.and_then(Result::ok);
        }
        match (channel, join(messages)) {
            (Some(channel), Some(message)) if !self.closed.is_cancelled() => {
                let published = self.limit(confirmed_channel::publish(channel, &message)).await;
                published.unwrap_or(Err(PublishError::Unknown))
            }
            _ => Err(PublishError::Unavailable),
        }
    }

    /// Limits the time of a request. None: the connection is closed, or the broker does not respond.
    async fn limit<T>(&self, request: impl Future<Output = T>) -> Option<T> {
        self.closed.run_until_cancelled(timeout(CONFIRM_TIMEOUT, request)).await?.ok()
    }
}

impl QueuePublisher {
    /// Drops the messages that have waited for too long, or whose caller was dropped. Otherwise a slow broker would be busy with messages
    /// whose requests have ended.
    fn drop_late(&mut self) {
        let is_late =
            |waiting: &mut Waiting| waiting.done.is_closed() || waiting.since.elapsed() > READY_TIMEOUT;
        while let Some(late) = self.waiting.pop_front_if(is_late) {
            let _ = late.done.send(Err(PublishError::Unavailable));
        }
    }
}

/// Commands without a reply queue can be in a message with one: a process ignores a reply for which no request waits.
fn can_be_joined(first: &Message, next: &Message) -> bool {
    let is_reply_queue_shared =
        first.reply_to.is_none() || next.reply_to.is_none() || first.reply_to == next.reply_to;
    first.is_command && next.is_command && is_reply_queue_shared
}

/// One message with the commands of all.
fn join(mut messages: Vec<Message>) -> Option<Message> {
    if messages.len() < 2 {
        return messages.pop();
    }
    let bodies: Vec<_> = messages.iter_mut().map(|message| mem::take(&mut message.body)).collect();
    Some(Message { body: commands::join(&bodies), ..messages.swap_remove(0) })
}
