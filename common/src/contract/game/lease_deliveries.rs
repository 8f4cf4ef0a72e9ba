//! The command `game.lease_deliveries`.

use chrono::{DateTime, Utc};
use poem_openapi::Object;
use serde::{Deserialize, Serialize};

use super::{
    characters::World,
    deliveries::{Delivery, LeaseLimit, LeaseSeconds},
    refusal::GameRefusal,
};
use crate::contract::{
    actor::Actor,
    command::{Declaration, Sender},
    partition_key::PartitionKey,
};

/// Leases deliveries that are due.
#[derive(Debug, Serialize, Deserialize)]
pub struct LeaseDeliveries {
    pub limit: LeaseLimit,
    pub lease: LeaseSeconds,
    /// Whether to lease only deliveries of characters that are online.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub online: bool,
    /// Whether to lease only deliveries of characters in this world. A character of which no world is known counts as one of each.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub world: Option<World>,
    /// The time from which no request waits for the response. Afterwards nothing is leased. None: there is no such time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deadline: Option<DateTime<Utc>>,
}

/// Deliveries that are leased to the game server that requested them.
#[derive(Debug, Serialize, Deserialize, Object)]
#[oai(example)]
pub struct DeliveriesLeased {
    pub items: Vec<Delivery>,
}

impl Declaration for LeaseDeliveries {
    type Output = DeliveriesLeased;
    type Refusal = GameRefusal;

    const NAME: &'static str = "game.lease_deliveries";
    const SENDER: Sender = Sender::GameServer;
    const REFUSALS: &'static [GameRefusal] = &[];
    const EXAMPLE: &'static str = r#"{"limit":20,"lease":60}"#;

    fn partition_key(&self, _: Actor) -> Option<PartitionKey> {
        None
    }
}

crate::examples! {
    DeliveriesLeased {
        "items": [{
            "delivery_id": "0192f0c1-2a3b-7c4d-8e5f-60718293a4b5", "character_id": 7, "character_name": "Mira Stormborn",
            "game_character_id": "world-1:812", "offer_id": 4, "offer_name": "Health potion", "quantity": 2,
            "grants": [{ "kind": "item", "id": "266", "count": 100 }], "attempt": 1,
            "leased_until": "2030-01-31T12:01:00Z", "purchased_at": "2030-01-31T12:00:00Z"
        }]
    }
}
