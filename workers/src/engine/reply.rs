//! Replies to waiting processes. They are best effort: the row of the operation also has the outcome.

use std::collections::HashMap;

use guildhall_common::{contract::command::CompletedOperation, platform::bus::Publisher};

/// Sends all outcomes, with one message for each reply queue.
pub(crate) fn send_all<'a>(
    publisher: &Publisher,
    replies: impl Iterator<Item = (&'a str, &'a CompletedOperation)>,
) {
    let mut by_queue: HashMap<&str, Vec<&CompletedOperation>> = HashMap::new();
    for (queue, operation) in replies {
        by_queue.entry(queue).or_default().push(operation);
    }
    for (queue, operations) in by_queue {
        send(publisher, queue, &operations);
    }
}

/// Sends outcomes to one queue, in a task of its own.
fn send(publisher: &Publisher, queue: &str, operations: &[&CompletedOperation]) {
    let Ok(body) = serde_json::to_vec(operations) else { return };
    let (publisher, queue) = (publisher.clone(), queue.to_owned());
    tokio::spawn(async move {
        if let Err(error) = publisher.send_unconfirmed(&queue, &body).await {
            tracing::debug!(error = format!("{error:#}"), "reply lost");
        }
    });
}
