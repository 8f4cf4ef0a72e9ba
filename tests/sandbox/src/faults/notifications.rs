//! Faults of notifications.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::trigger::FaultTrigger;

/// Faults of notifications. One notification is one POST, with one or more payments.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct NotificationFaults {
    /// The notification is never sent.
    pub(crate) drop: FaultTrigger,
    /// The notification is sent `duplicate_times` times in parallel.
    pub(crate) duplicate: FaultTrigger,
    pub(crate) duplicate_times: u32,
    /// The notification is sent after the next one, or after `--reorder-ms`.
    pub(crate) reorder: FaultTrigger,
    /// Every notification is delayed by this time.
    pub(crate) delay_ms: u64,
    /// `PUT /cob` pays its own charge and notifies. Its response follows after `before_created_ms`.
    pub(crate) before_created: FaultTrigger,
    pub(crate) before_created_ms: u64,
    /// The notification names a key of another receiver.
    pub(crate) foreign_key: FaultTrigger,
    /// The notification names a txid that does not exist.
    pub(crate) unknown_txid: FaultTrigger,
    /// Every value in the query of the webhook's URL is wrong.
    pub(crate) bad_secret: FaultTrigger,
    /// The second half of the body is missing.
    pub(crate) truncated: FaultTrigger,
}

impl Default for NotificationFaults {
    fn default() -> Self {
        let never = FaultTrigger::default();
        Self {
            drop: never,
            duplicate: never,
            duplicate_times: 2,
            reorder: never,
            delay_ms: 0,
            before_created: never,
            before_created_ms: 500,
            foreign_key: never,
            unknown_txid: never,
            bad_secret: never,
            truncated: never,
        }
    }
}

/// The faults of one notification.
pub(crate) struct DeliveryPlan {
    pub(crate) drop: bool,
    pub(crate) copies: u32,
    pub(crate) after_next: bool,
    pub(crate) delay: Duration,
    pub(crate) foreign_key: bool,
    pub(crate) unknown_txid: bool,
    pub(crate) bad_secret: bool,
    pub(crate) truncated: bool,
}

impl NotificationFaults {
    pub(crate) fn plan_delivery(&mut self) -> DeliveryPlan {
        DeliveryPlan {
            drop: self.drop.fires(),
            copies: if self.duplicate.fires() { self.duplicate_times } else { 1 },
            after_next: self.reorder.fires(),
            delay: Duration::from_millis(self.delay_ms),
            foreign_key: self.foreign_key.fires(),
            unknown_txid: self.unknown_txid.fires(),
            bad_secret: self.bad_secret.fires(),
            truncated: self.truncated.fires(),
        }
    }
}
