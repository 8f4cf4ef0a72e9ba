//! The command `payment.replay_notification`.

use poem_openapi::Object;
use serde::{Deserialize, Serialize};

use super::{refusal::PaymentRefusal, values::NotificationId};
use crate::contract::{
    actor::Actor,
    command::{Declaration, Sender},
    partition_key::PartitionKey,
};

/// Processes a parked notification again.
#[derive(Debug, Serialize, Deserialize)]
pub struct ReplayNotification {
    pub notification_id: NotificationId,
}

/// A notification will be processed again.
#[derive(Debug, Serialize, Deserialize, Object)]
#[oai(example)]
pub struct NotificationReplayed {
    pub notification_id: NotificationId,
}

impl Declaration for ReplayNotification {
    type Output = NotificationReplayed;
    type Refusal = PaymentRefusal;

    const NAME: &'static str = "payment.replay_notification";
    const SENDER: Sender = Sender::Admin;
    const REFUSALS: &'static [PaymentRefusal] =
        &[PaymentRefusal::NotificationNotFound, PaymentRefusal::NotificationSettled];
    const EXAMPLE: &'static str = r#"{"notification_id":7}"#;

    fn partition_key(&self, _: Actor) -> Option<PartitionKey> {
        Some(PartitionKey::new("notification", self.notification_id))
    }
}

crate::examples! {
    NotificationReplayed { "notification_id": 7 }
}
