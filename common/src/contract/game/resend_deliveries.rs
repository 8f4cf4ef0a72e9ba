//! The command `game.resend_deliveries`.

use chrono::{DateTime, Utc};
use poem_openapi::Object;
use serde::{Deserialize, Serialize};

use super::{deliveries::ResendStatus, refusal::GameRefusal};
use crate::contract::{
    actor::Actor,
    character::CharacterRef,
    command::{Declaration, Sender},
    partition_key::PartitionKey,
    shop::OfferId,
    values::Reason,
};

/// Makes many deliveries due again: those that were parked or delivered in a period.
#[derive(Debug, Serialize, Deserialize)]
pub struct ResendDeliveries {
    pub state: ResendStatus,
    pub since: DateTime<Utc>,
    pub until: DateTime<Utc>,
    pub offer_id: Option<OfferId>,
    pub character: Option<CharacterRef>,
    pub reason: Reason,
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

impl Declaration for ResendDeliveries {
    type Output = DeliveriesResent;
    type Refusal = GameRefusal;

    const NAME: &'static str = "game.resend_deliveries";
    const SENDER: Sender = Sender::Admin;
    const REFUSALS: &'static [GameRefusal] =
        &[GameRefusal::CharacterNotFound, GameRefusal::PeriodInTheFuture];
    const EXAMPLE: &'static str = r#"{"state":"parked","since":"2030-01-31T12:00:00Z","until":"2030-02-01T12:00:00Z","offer_id":4,"character":{"name":"Mira"},"reason":"Lost."}"#;

    fn partition_key(&self, _: Actor) -> Option<PartitionKey> {
        None
    }
}

crate::examples! {
    DeliveriesResent { "resent": 12, "more": false }
}
