//! The times of commands. They are constants of a site, and only tests change them.

use std::time::Duration;

/// How long commands may take.
#[derive(Debug, Clone)]
pub struct CommandTimes {
    /// The time to wait for the outcome of a command before the response is 202. The caller can prefer a shorter time. An api that stops
    /// waits 20 s for its requests, so it must be shorter.
    pub wait: Duration,

    /// The time that a command may wait in its queue. If it would wait longer, the response is 503 with `Retry-After`, and the
    /// command is not accepted. Notifications of banks, acknowledgements of game servers and log-outs are always accepted.
    pub longest_queue_wait: Duration,
}

impl Default for CommandTimes {
    fn default() -> Self {
        Self { wait: Duration::from_secs(5), longest_queue_wait: Duration::from_secs(30) }
    }
}
