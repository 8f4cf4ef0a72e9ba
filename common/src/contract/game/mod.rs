//! Game servers: the characters and deaths that they report, and the deliveries that they fetch.

mod characters;
mod deaths;

use chrono::{DateTime, Utc};
use poem_openapi::{Enum, Object};
use serde::{Deserialize, Serialize};

pub use self::{characters::*, deaths::*};
use super::{
    account::{LinkCodeUsed, UseLinkCode},
    actor::Actor,
    character::{CharacterId, CharacterRef},
    partition_key::{PartitionKey, Partitioned},
    shop::{DeliveryId, Grant, OfferId},
    values::{Reason, TITLE},
};
use crate::{domain, number_types, refusals, text_types};

domain! {
    GameCommand = "game" {
        "game.upsert_characters" => UpsertCharacters -> CharactersUpserted,
        "game.delete_characters" => DeleteGameCharacters -> GameCharactersDeleted,
        "game.use_link_code" => UseLinkCode -> LinkCodeUsed,
        "game.report_deaths" => ReportDeaths -> DeathsReported,
        "game.renew_presence" => RenewPresence -> PresenceRenewed,
        "game.lease_deliveries" => LeaseDeliveries -> DeliveriesLeased,
        "game.acknowledge_deliveries" => AcknowledgeDeliveries -> DeliveriesAcknowledged,
        "game.refuse_deliveries" => RefuseDeliveries -> DeliveriesRefused,
        "game.resend_delivery" => ResendDelivery -> DeliveryResent,
        "game.resend_deliveries" => ResendDeliveries -> DeliveriesResent,
        "game.discard_delivery" => DiscardDelivery -> DeliveryDiscarded,
    }
}

impl Partitioned for GameCommand {
    const IS_PARTITIONED: bool = false;

    /// A report of a game server names many characters, and one of its leases many deliveries.
    fn partition_key(&self, _: Actor) -> Option<PartitionKey> {
        None
    }

    fn is_always_accepted(&self) -> bool {
        matches!(self, Self::AcknowledgeDeliveries(_) | Self::RefuseDeliveries(_))
    }
}

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
    /// The time from which no request waits for the response. Afterwards nothing is leased. None: the command is from an api of
    /// 0.2.0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deadline: Option<DateTime<Utc>>,
}

/// Marks deliveries as delivered: the game server has given the items to the characters.
#[derive(Debug, Serialize, Deserialize)]
pub struct AcknowledgeDeliveries {
    pub delivery_ids: Vec<DeliveryId>,
}

/// Refuses deliveries that the game server could not deliver.
#[derive(Debug, Serialize, Deserialize)]
pub struct RefuseDeliveries {
    pub deliveries: Vec<RefusedDelivery>,
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

/// Makes a delivery due again, in any state.
#[derive(Debug, Serialize, Deserialize)]
pub struct ResendDelivery {
    pub delivery_id: DeliveryId,
    pub reason: Reason,
}

/// The state of the deliveries that are resent together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Enum)]
#[oai(rename_all = "snake_case")]
#[serde(rename_all = "snake_case")]
pub enum ResendState {
    Parked,
    Delivered,
}

/// Makes many deliveries due again: those that were parked or delivered in a period.
#[derive(Debug, Serialize, Deserialize)]
pub struct ResendDeliveries {
    pub state: ResendState,
    pub since: DateTime<Utc>,
    pub until: DateTime<Utc>,
    pub offer_id: Option<OfferId>,
    pub character: Option<CharacterRef>,
    pub reason: Reason,
}

/// Gives up a delivery that is neither delivered nor discarded.
#[derive(Debug, Serialize, Deserialize)]
pub struct DiscardDelivery {
    pub delivery_id: DeliveryId,
    pub reason: Reason,
    /// Whether the buyer gets the coins back.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub return_coins: bool,
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

/// Deliveries that are leased to the game server that requested them.
#[derive(Debug, Serialize, Deserialize, Object)]
#[oai(example)]
pub struct DeliveriesLeased {
    pub items: Vec<Delivery>,
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

/// A delivery is due again.
#[derive(Debug, Serialize, Deserialize, Object)]
#[oai(example)]
pub struct DeliveryResent {
    pub delivery_id: DeliveryId,
}

/// Deliveries are due again.
#[derive(Debug, Serialize, Deserialize, Object)]
#[oai(example)]
pub struct DeliveriesResent {
    /// The number of deliveries.
    pub resent: i64,
    /// Whether there are more. One request resends at most 1000 deliveries. Send it again.
    pub more: bool,
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

refusals! {
    GameRefusal {
        NotFound CharacterNotFound "character_not_found" "This character does not exist.";
        NotFound LinkCodeNotFound "link_code_not_found" "This link code does not exist, was used, or has expired.";
        NotFound DeliveryNotFound "delivery_not_found" "This delivery does not exist.";
        Conflict DeliveryEnded "delivery_ended" "This delivery is delivered or discarded already.";
        Conflict DeliveryLeased "delivery_leased" "A game server is delivering this at the moment. Try again in a minute.";
        Conflict StockMissing "out_of_stock" "The offer does not have enough pieces left. Add some first.";
        Conflict CoinsReturned "coins_returned" "The buyer has the coins of this delivery again.";
        Conflict PeriodInTheFuture "period_in_the_future" "The period ends in the future.";
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
    DeliveriesAcknowledged {
        "delivered": ["0192f0c1-2a3b-7c4d-8e5f-60718293a4b5"], "repeated": [], "unknown": []
    }
    DeliveriesRefused { "again": ["0192f0c1-2a3b-7c4d-8e5f-60718293a4b5"], "parked": [], "unchanged": [] }
    DeliveryResent { "delivery_id": "0192f0c1-2a3b-7c4d-8e5f-60718293a4b5" }
    DeliveriesResent { "resent": 12, "more": false }
    DeliveryDiscarded { "delivery_id": "0192f0c1-2a3b-7c4d-8e5f-60718293a4b5", "returned_coins": 50 }
}

crate::wire_forms! {
    GameCommand r#"
        {"name":"game.upsert_characters","body":{"characters":[{"name":"Mira","level":60,"vocation":"Druid","online":true,"account_id":null},{"name":"Tom","level":1,"vocation":"Knight","online":false,"account_id":3}]}}
        {"name":"game.upsert_characters","body":{"characters":[],"snapshot_id":"0192f0c1-2a3b-7c4d-8e5f-60718293a4b5","last_part":true}}
        {"name":"game.upsert_characters","body":{"characters":[{"name":"Mira","level":60,"vocation":"Druid","online":true,"account_id":3,"game_character_id":"world-1:812"}],"world":"Antica"}}
        {"name":"game.delete_characters","body":{"game_character_ids":["world-1:812"]}}
        {"name":"game.use_link_code","body":{"code_hash":"00ff"}}
        {"name":"game.report_deaths","body":{"deaths":[{"death_id":"world-1:5021","character_name":"Mira","died_at":"2030-01-31T12:00:00Z","level":87,"killed_by":"a dragon lord","killer_is_player":false}]}}
        {"name":"game.renew_presence","body":null}
        {"name":"game.lease_deliveries","body":{"limit":20,"lease":60}}
        {"name":"game.lease_deliveries","body":{"limit":20,"lease":60,"online":true}}
        {"name":"game.lease_deliveries","body":{"limit":20,"lease":60,"world":"Antica"}}
        {"name":"game.lease_deliveries","body":{"limit":20,"lease":60,"deadline":"2030-01-31T12:00:05Z"}}
        {"name":"game.acknowledge_deliveries","body":{"delivery_ids":["0192f0c1-2a3b-7c4d-8e5f-60718293a4b5"]}}
        {"name":"game.refuse_deliveries","body":{"deliveries":[{"delivery_id":"0192f0c1-2a3b-7c4d-8e5f-60718293a4b5","attempt":null,"reason":"The depot is full."}]}}
        {"name":"game.refuse_deliveries","body":{"deliveries":[{"delivery_id":"0192f0c1-2a3b-7c4d-8e5f-60718293a4b5","attempt":1,"reason":"The player is online.","temporary":true}]}}
        {"name":"game.resend_delivery","body":{"delivery_id":"0192f0c1-2a3b-7c4d-8e5f-60718293a4b5","reason":"Lost."}}
        {"name":"game.resend_deliveries","body":{"state":"parked","since":"2030-01-31T12:00:00Z","until":"2030-02-01T12:00:00Z","offer_id":4,"character":{"name":"Mira"},"reason":"Lost."}}
        {"name":"game.discard_delivery","body":{"delivery_id":"0192f0c1-2a3b-7c4d-8e5f-60718293a4b5","reason":"The coins were given back."}}
        {"name":"game.discard_delivery","body":{"delivery_id":"0192f0c1-2a3b-7c4d-8e5f-60718293a4b5","reason":"The coins were given back.","return_coins":true}}
    "#
}
