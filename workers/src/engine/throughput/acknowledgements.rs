//! The acknowledgements of one consumer. One of them covers all messages of a short time: a quorum queue writes each one to disk.
//!
//! If the worker dies before it, the messages are delivered again, and the rows of their operations show that they are applied.

use std::time::Duration;

use anyhow::ensure;
use guildhall_common::platform::bus::with_timeout;
use lapin::{Acker, message::Delivery, options::BasicAckOptions};
use tokio::time::Instant;

/// Processed messages are acknowledged after this time, also if no other message arrives.
const DELAY: Duration = Duration::from_millis(200);

/// This number of processed messages is acknowledged immediately.
pub(crate) const MAX_PENDING: usize = 32;

/// The processed messages that are not acknowledged yet.
#[derive(Default)]
pub(crate) struct Acknowledgements {
    messages: usize,
    /// The last message. Its acknowledgement is also that of the messages before it.
    last: Option<Acker>,
    due: Option<Instant>,
}

impl Acknowledgements {
    /// When the messages have to be acknowledged. None if there are none.
    pub(crate) fn due(&self) -> Option<Instant> {
        self.due
    }

    /// Adds processed messages, and acknowledges if there are enough.
    ///
    /// # Errors
    /// The connection is lost.
    pub(crate) async fn add(&mut self, batch: &[Delivery]) -> anyhow::Result<()> {
        let Some(last) = batch.last() else { return Ok(()) };
        self.messages += batch.len();
        self.last = Some(last.acker.clone());
        let due = *self.due.get_or_insert_with(|| Instant::now() + DELAY);
        // The broker dead-letters a message that it has delivered too often, also one that was processed each time.
        let is_repeated = batch.iter().any(|delivery| delivery.redelivered);
        if is_repeated || self.messages >= MAX_PENDING || due <= Instant::now() {
            self.send().await?;
        }
        Ok(())
    }

    /// Acknowledges all messages.
    ///
    /// # Errors
    /// The connection is lost.
    pub(crate) async fn send(&mut self) -> anyhow::Result<()> {
        let Some(last) = &self.last else { return Ok(()) };
        let is_connected = with_timeout(last.ack(BasicAckOptions { multiple: true })).await?;
        ensure!(is_connected, "the connection was lost before the acknowledgement");
        *self = Self::default();
        Ok(())
    }
}
