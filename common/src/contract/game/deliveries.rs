//! The deliveries that a game server fetches.

use chrono::{DateTime, Utc};
use poem_openapi::{Enum, Object};
use serde::{Deserialize, Serialize};

use crate::{
    contract::{
        character::CharacterId,
        shop::{DeliveryId, Grant, OfferId},
        values::TITLE,
    },
    number_types, text_types,
};

number_types! {
    /// The maximum number of deliveries to lease in one request.
    LeaseLimit(i64, "int64") { 1 ..= 100, 20 }
    /// Seconds to wait until a delivery is due.
    LeaseWait(i64, "int64") { 0 ..= 30, 20 }
    /// The number of a lease of a delivery, from 1.
    Attempt(i32, "int32") { 1 ..= i32::MAX, 1 }
    /// Seconds for which no other game server can lease the delivery.
    LeaseSeconds(i64, "int64") { 5 ..= 3600, 60 }
}

text_types! {
    /// Why the game server cannot deliver now.
    DeliveryError { 1 ..= 200, TITLE, "The depot is full." }
}

/// A delivery that the game server could not deliver.
#[derive(Debug, Serialize, Deserialize, Object)]
#[serde(deny_unknown_fields)]
#[oai(deny_unknown_fields)]
pub struct RefusedDelivery {
    pub delivery_id: DeliveryId,
    /// The attempt of the lease. If set, a refusal from an expired lease is ignored.
    pub attempt: Option<Attempt>,
    pub reason: DeliveryError,
    /// Whether the reason passes by itself, such as a player who is online at the wrong moment. Then the refusal does not count: the
    /// delivery is due again after a minute, as often as needed, and is never parked.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[oai(default)]
    pub temporary: bool,
}

/// The state of the deliveries that are resent together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Enum)]
#[oai(rename_all = "snake_case")]
#[serde(rename_all = "snake_case")]
pub enum ResendStatus {
    Parked,
    Delivered,
}

/// Items to give to a character.
#[derive(Debug, Serialize, Deserialize, Object)]
pub struct Delivery {
    /// Never changes. The game server must not give the items of one id twice.
    pub delivery_id: DeliveryId,
    pub character_id: CharacterId,
    pub character_name: String,
    /// The id of the character in the game. Give the items to the character with this id, whatever its name is. Missing if no game
    /// server has reported it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub game_character_id: Option<String>,
    pub offer_id: OfferId,
    pub offer_name: String,
    /// How many times to give the grants.
    pub quantity: i32,
    pub grants: Vec<Grant>,
    /// The number of this lease, from 1.
    pub attempt: i32,
    /// The end of the lease. Afterwards another game server can lease the delivery.
    pub leased_until: DateTime<Utc>,
    pub purchased_at: DateTime<Utc>,
}
