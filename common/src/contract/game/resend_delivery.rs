//! The command `game.resend_delivery`.

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

/// Makes a delivery due again, in any state.
#[derive(Debug, Serialize, Deserialize)]
pub struct ResendDelivery {
    pub delivery_id: DeliveryId,
    pub reason: Reason,
}

/// A delivery is due again.
#[derive(Debug, Serialize, Deserialize, Object)]
#[oai(example)]
pub struct DeliveryResent {
    pub delivery_id: DeliveryId,
}

impl Declaration for ResendDelivery {
    type Output = DeliveryResent;
    type Refusal = GameRefusal;

    const NAME: &'static str = "game.resend_delivery";
    const SENDER: Sender = Sender::Admin;
    const REFUSALS: &'static [GameRefusal] = &[
        GameRefusal::DeliveryNotFound,
        GameRefusal::CharacterNotFound,
        GameRefusal::CoinsReturned,
        GameRefusal::StockMissing,
    ];
    const EXAMPLE: &'static str =
        r#"{"delivery_id":"0192f0c1-2a3b-7c4d-8e5f-60718293a4b5","reason":"Lost."}"#;

    fn partition_key(&self, _: Actor) -> Option<PartitionKey> {
        None
    }
}

crate::examples! {
    DeliveryResent { "delivery_id": "0192f0c1-2a3b-7c4d-8e5f-60718293a4b5" }
}
