//! The command `game.report_deaths`.

use poem_openapi::Object;
use serde::{Deserialize, Serialize};

use super::{
    deaths::{ReportedDeath, SkippedDeath},
    refusal::GameRefusal,
};
use crate::contract::{
    actor::Actor,
    command::{Declaration, Sender},
    partition_key::PartitionKey,
};

/// Stores many deaths. A death that is stored already does not change.
#[derive(Debug, Serialize, Deserialize)]
pub struct ReportDeaths {
    pub deaths: Vec<ReportedDeath>,
}

/// Deaths were stored.
#[derive(Debug, Serialize, Deserialize, Object)]
#[oai(example)]
pub struct DeathsReported {
    /// Stored by this request.
    pub created: i64,
    /// Stored before.
    pub unchanged: i64,
    /// Deaths that were not stored, with the reasons. The others were.
    pub skipped: Vec<SkippedDeath>,
}

impl Declaration for ReportDeaths {
    type Output = DeathsReported;
    type Refusal = GameRefusal;

    const NAME: &'static str = "game.report_deaths";
    const SENDER: Sender = Sender::GameServer;
    const REFUSALS: &'static [GameRefusal] = &[];
    const EXAMPLE: &'static str = r#"{"deaths":[{"death_id":"world-1:5021","character_name":"Mira","died_at":"2030-01-31T12:00:00Z","level":87,"killed_by":"a dragon lord","killer_is_player":false}]}"#;

    fn partition_key(&self, _: Actor) -> Option<PartitionKey> {
        None
    }
}

crate::examples! {
    DeathsReported {
        "created": 2, "unchanged": 0, "skipped": [{ "death_id": "world-1:5021", "reason": "character_not_found" }]
    }
}
