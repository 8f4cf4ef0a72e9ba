//! The command `game.refuse_deliveries`.

use poem_openapi::Object;
use serde::{Deserialize, Serialize};

use super::{deliveries::RefusedDelivery, refusal::GameRefusal};
use crate::contract::{
    actor::Actor,
    command::{Declaration, Sender},
    partition_key::PartitionKey,
    shop::DeliveryId,
};

/// Refuses deliveries that the game server could not deliver.
#[derive(Debug, Serialize, Deserialize)]
pub struct RefuseDeliveries {
    pub deliveries: Vec<RefusedDelivery>,
}

/// Deliveries were refused. They are leased again or parked.
#[derive(Debug, Serialize, Deserialize, Object)]
#[oai(example)]
pub struct DeliveriesRefused {
    /// Due again after a delay.
    pub again: Vec<DeliveryId>,
    /// Refused too often: an administrator must resend them.
    pub parked: Vec<DeliveryId>,
    /// Delivered, parked or discarded before, leased again since, or unknown.
    pub unchanged: Vec<DeliveryId>,
}

impl Declaration for RefuseDeliveries {
    type Output = DeliveriesRefused;
    type Refusal = GameRefusal;

    const NAME: &'static str = "game.refuse_deliveries";
    const SENDER: Sender = Sender::GameServer;
    const REFUSALS: &'static [GameRefusal] = &[];
    const EXAMPLE: &'static str = r#"{"deliveries":[{"delivery_id":"0192f0c1-2a3b-7c4d-8e5f-60718293a4b5","attempt":null,"reason":"The depot is full."}]}"#;
    const IS_ALWAYS_ACCEPTED: bool = true;

    fn partition_key(&self, _: Actor) -> Option<PartitionKey> {
        None
    }
}

crate::examples! {
    DeliveriesRefused { "again": ["0192f0c1-2a3b-7c4d-8e5f-60718293a4b5"], "parked": [], "unchanged": [] }
}
