//! The command `game.acknowledge_deliveries`.

use poem_openapi::Object;
use serde::{Deserialize, Serialize};

use super::refusal::GameRefusal;
use crate::contract::{
    actor::Actor,
    command::{Declaration, Sender},
    partition_key::PartitionKey,
    shop::DeliveryId,
};

/// Marks deliveries as delivered: the game server has given the items to the characters.
#[derive(Debug, Serialize, Deserialize)]
pub struct AcknowledgeDeliveries {
    pub delivery_ids: Vec<DeliveryId>,
}

/// Deliveries were marked as delivered.
#[derive(Debug, Serialize, Deserialize, Object)]
#[oai(example)]
pub struct DeliveriesAcknowledged {
    /// Marked as delivered by this request.
    pub delivered: Vec<DeliveryId>,
    /// Marked as delivered before.
    pub repeated: Vec<DeliveryId>,
    /// Deliveries that do not exist.
    pub unknown: Vec<DeliveryId>,
}

impl Declaration for AcknowledgeDeliveries {
    type Output = DeliveriesAcknowledged;
    type Refusal = GameRefusal;

    const NAME: &'static str = "game.acknowledge_deliveries";
    const SENDER: Sender = Sender::GameServer;
    const REFUSALS: &'static [GameRefusal] = &[];
    const EXAMPLE: &'static str = r#"{"delivery_ids":["0192f0c1-2a3b-7c4d-8e5f-60718293a4b5"]}"#;
    const IS_ALWAYS_ACCEPTED: bool = true;

    fn partition_key(&self, _: Actor) -> Option<PartitionKey> {
        None
    }
}

crate::examples! {
    DeliveriesAcknowledged {
        "delivered": ["0192f0c1-2a3b-7c4d-8e5f-60718293a4b5"], "repeated": [], "unknown": []
    }
}
