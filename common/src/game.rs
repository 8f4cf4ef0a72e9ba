//! Game servers: what they tell of characters, and what they fetch for them.

use chrono::{DateTime, Utc};
use poem_openapi::Object;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::{
    account::{CharacterName, Level, Vocation},
    domain, ids, numbers,
    payments::Reason,
    refusals,
    shop::Grant,
    texts,
    values::TITLE,
};

domain! {
    GameCommand = "game" {
        "game.upsert_characters" => UpsertCharacters -> CharactersUpserted,
        "game.lease_deliveries" => LeaseDeliveries -> DeliveriesLeased,
        "game.acknowledge_deliveries" => AcknowledgeDeliveries -> DeliveriesAcknowledged,
        "game.refuse_deliveries" => RefuseDeliveries -> DeliveriesRefused,
        "game.resend_delivery" => ResendDelivery -> DeliveryResent,
    }
}

ids! {
    /// An account.
    AccountId
}

numbers! {
    /// Deliveries at a time.
    LeaseLimit(i64, "int64") { 1 ..= 100, 20 }
    /// Seconds to wait for something to be due.
    LeaseWait(i64, "int64") { 0 ..= 30, 20 }
    /// Which time a delivery was handed out.
    Attempt(i32, "int32") { 1 ..= i32::MAX, 1 }
    /// Seconds for which nobody else is given a delivery.
    LeaseSeconds(i64, "int64") { 5 ..= 3600, 60 }
}

texts! {
    /// Why the game cannot hand something out now.
    DeliveryError { 1 ..= 200, TITLE, "The depot is full." }
}

/// A character as the game knows it.
#[derive(Debug, Clone, Serialize, Deserialize, Object)]
#[serde(deny_unknown_fields)]
#[oai(deny_unknown_fields)]
pub struct GameCharacter {
    pub name: CharacterName,
    pub level: Level,
    pub vocation: Vocation,
    pub online: bool,
    /// Needed for a character that the site does not know yet; an owner is never changed.
    pub account_id: Option<AccountId>,
}

/// Bring many characters up to date; of one that is named twice the last counts.
#[derive(Debug, Serialize, Deserialize)]
pub struct UpsertCharacters {
    pub characters: Vec<GameCharacter>,
}

/// Hand out what is due.
#[derive(Debug, Serialize, Deserialize)]
pub struct LeaseDeliveries {
    pub limit: LeaseLimit,
    pub lease: LeaseSeconds,
}

/// The game has given these to their characters.
#[derive(Debug, Serialize, Deserialize)]
pub struct AcknowledgeDeliveries {
    pub delivery_ids: Vec<Uuid>,
}

/// The game could not give these.
#[derive(Debug, Serialize, Deserialize)]
pub struct RefuseDeliveries {
    pub deliveries: Vec<RefusedDelivery>,
}

/// A delivery that the game could not give.
#[derive(Debug, Serialize, Deserialize, Object)]
#[serde(deny_unknown_fields)]
#[oai(deny_unknown_fields)]
pub struct RefusedDelivery {
    pub delivery_id: Uuid,
    /// As it was handed out. Given, a refusal that comes after the lease takes it from nobody else.
    pub attempt: Option<Attempt>,
    pub reason: DeliveryError,
}

/// Hand a delivery out again, whatever became of it.
#[derive(Debug, Serialize, Deserialize)]
pub struct ResendDelivery {
    pub delivery_id: Uuid,
    pub reason: Reason,
}

/// Something to give to a character.
#[derive(Debug, Serialize, Deserialize, Object)]
pub struct Delivery {
    /// Stable: whoever has given it once refuses to give it again.
    pub delivery_id: Uuid,
    pub character_id: i64,
    pub character_name: String,
    pub offer_id: i64,
    pub offer_name: String,
    /// How many times the grants are given.
    pub quantity: i32,
    pub grants: Vec<Grant>,
    /// Counted from 1.
    pub attempt: i32,
    /// From then on it may be handed to another.
    pub leased_until: DateTime<Utc>,
    pub purchased_at: DateTime<Utc>,
}

/// Deliveries for whoever asked, and for nobody else until the lease is over.
#[derive(Debug, Serialize, Deserialize, Object)]
#[oai(example)]
pub struct DeliveriesLeased {
    pub items: Vec<Delivery>,
}

/// What the game has given is written down.
#[derive(Debug, Serialize, Deserialize, Object)]
#[oai(example)]
pub struct DeliveriesAcknowledged {
    /// Written down now.
    pub delivered: Vec<Uuid>,
    /// Known before.
    pub repeated: Vec<Uuid>,
    /// There are no such deliveries.
    pub unknown: Vec<Uuid>,
}

/// What the game could not give will be tried again, or is parked.
#[derive(Debug, Serialize, Deserialize, Object)]
#[oai(example)]
pub struct DeliveriesRefused {
    /// Handed out again after a pause.
    pub again: Vec<Uuid>,
    /// Tried too often: somebody has to look.
    pub parked: Vec<Uuid>,
    /// Delivered or parked before, handed out again since, or never ordered.
    pub unchanged: Vec<Uuid>,
}

/// A delivery will be handed out again.
#[derive(Debug, Serialize, Deserialize, Object)]
#[oai(example)]
pub struct DeliveryResent {
    pub delivery_id: Uuid,
}

refusals! {
    GameRefusal {
        NotFound DeliveryNotFound "delivery_not_found" "There is no such delivery.";
    }
}

/// What became of the characters.
#[derive(Debug, Serialize, Deserialize, Object)]
#[oai(example)]
pub struct CharactersUpserted {
    pub created: i64,
    pub updated: i64,
    pub unchanged: i64,
    /// Unknown to the site and without a known account to belong to: left out.
    pub skipped: Vec<String>,
}

crate::examples! {
    DeliveriesLeased {
        "items": [{
            "delivery_id": "0192f0c1-2a3b-7c4d-8e5f-60718293a4b5", "character_id": 7, "character_name": "Mira Stormborn",
            "offer_id": 4, "offer_name": "Health potion", "quantity": 2,
            "grants": [{ "kind": "item", "id": "266", "count": 100 }], "attempt": 1,
            "leased_until": "2030-01-31T12:01:00Z", "purchased_at": "2030-01-31T12:00:00Z"
        }]
    }
    DeliveriesAcknowledged {
        "delivered": ["0192f0c1-2a3b-7c4d-8e5f-60718293a4b5"], "repeated": [], "unknown": []
    }
    DeliveriesRefused { "again": ["0192f0c1-2a3b-7c4d-8e5f-60718293a4b5"], "parked": [], "unchanged": [] }
    DeliveryResent { "delivery_id": "0192f0c1-2a3b-7c4d-8e5f-60718293a4b5" }
    CharactersUpserted { "created": 1, "updated": 12, "unchanged": 387, "skipped": ["Lost One"] }
}
