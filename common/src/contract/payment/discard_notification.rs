//! The command `payment.discard_notification`.

use poem_openapi::Object;
use serde::{Deserialize, Serialize};

use super::{refusal::PaymentRefusal, values::NotificationId};
use crate::contract::{
    actor::Actor,
    command::{Declaration, Sender},
    partition_key::PartitionKey,
    values::Reason,
};

/// Gives up a parked notification.
#[derive(Debug, Serialize, Deserialize)]
pub struct DiscardNotification {
    pub notification_id: NotificationId,
    pub reason: Reason,
}

/// A notification was given up.
#[derive(Debug, Serialize, Deserialize, Object)]
#[oai(example)]
pub struct NotificationDiscarded {
    pub notification_id: NotificationId,
}

impl Declaration for DiscardNotification {
    type Output = NotificationDiscarded;
    type Refusal = PaymentRefusal;

    const NAME: &'static str = "payment.discard_notification";
    const SENDER: Sender = Sender::Admin;
    const REFUSALS: &'static [PaymentRefusal] =
        &[PaymentRefusal::NotificationNotFound, PaymentRefusal::NotificationNotParked];
    const EXAMPLE: &'static str = r#"{"notification_id":7,"reason":"Sent for a test."}"#;

    fn partition_key(&self, _: Actor) -> Option<PartitionKey> {
        Some(PartitionKey::new("notification", self.notification_id))
    }
}

crate::examples! {
    NotificationDiscarded { "notification_id": 7 }
}
