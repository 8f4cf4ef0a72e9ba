//! The command `payment.notify`.

use serde::{Deserialize, Serialize};

use super::refusal::PaymentRefusal;
use crate::contract::{
    actor::Actor,
    command::{Declaration, Sender},
    partition_key::PartitionKey,
    providers::{Notification, Provider},
};

/// Stores notifications of a provider and schedules their processing.
#[derive(Debug, Serialize, Deserialize)]
pub struct StoreNotifications {
    pub provider: Provider,
    pub notifications: Vec<Notification>,
}

/// Notifications were stored.
#[derive(Debug, Serialize, Deserialize)]
pub struct NotificationsStored {
    /// The number of stored notifications. Repetitions of one notification in the same request count once.
    pub kept: i64,
}

impl Declaration for StoreNotifications {
    type Output = NotificationsStored;
    type Refusal = PaymentRefusal;

    const NAME: &'static str = "payment.notify";
    const SENDER: Sender = Sender::PaymentProvider;
    const REFUSALS: &'static [PaymentRefusal] = &[];
    const EXAMPLE: &'static str =
        r#"{"provider":"api_pix","notifications":[{"id":null,"body":{"endToEndId":"E1"}}]}"#;
    const IS_ALWAYS_ACCEPTED: bool = true;

    fn partition_key(&self, _: Actor) -> Option<PartitionKey> {
        self.notifications.first().map(|first| PartitionKey::new("message", &first.body))
    }
}
