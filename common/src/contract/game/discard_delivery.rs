//! The command `game.discard_delivery`.

use poem_openapi::Object;
use serde::{Deserialize, Serialize};

use super::refusal::GameRefusal;
use crate::contract::{
    actor::Actor,
    command::{Declaration, Sender},
    partition_key::PartitionKey,
    shop::DeliveryId,
    values::Reason,
};

/// Gives up a delivery that is neither delivered nor discarded.
#[derive(Debug, Serialize, Deserialize)]
pub struct DiscardDelivery {
    pub delivery_id: DeliveryId,
    pub reason: Reason,
    /// Whether the buyer gets the coins back.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub return_coins: bool,
}

/// A delivery was given up. No game server gets it, unless an administrator resends it.
#[derive(Debug, Serialize, Deserialize, Object)]
#[oai(example)]
pub struct DeliveryDiscarded {
    pub delivery_id: DeliveryId,
    /// The coins that the buyer got back.
    #[serde(default)]
    pub returned_coins: i64,
}

impl Declaration for DiscardDelivery {
    type Output = DeliveryDiscarded;
    type Refusal = GameRefusal;

    const NAME: &'static str = "game.discard_delivery";
    const SENDER: Sender = Sender::Admin;
    const REFUSALS: &'static [GameRefusal] =
        &[GameRefusal::DeliveryNotFound, GameRefusal::DeliveryEnded, GameRefusal::DeliveryLeased];
    const EXAMPLE: &'static str =
        r#"{"delivery_id":"0192f0c1-2a3b-7c4d-8e5f-60718293a4b5","reason":"The coins were given back."}"#;

    fn partition_key(&self, _: Actor) -> Option<PartitionKey> {
        None
    }
}

crate::examples! {
    DeliveryDiscarded { "delivery_id": "0192f0c1-2a3b-7c4d-8e5f-60718293a4b5", "returned_coins": 50 }
}
