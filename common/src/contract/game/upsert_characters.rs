//! The command `game.upsert_characters`.

use poem_openapi::Object;
use serde::{Deserialize, Serialize};

use super::{
    characters::{GameCharacter, SkippedCharacter, SnapshotId, World},
    refusal::GameRefusal,
};
use crate::contract::{
    actor::Actor,
    command::{Declaration, Sender},
    partition_key::PartitionKey,
};

/// Creates and updates many characters. If a name occurs twice, the last one is used.
#[derive(Debug, Serialize, Deserialize)]
pub struct UpsertCharacters {
    pub characters: Vec<GameCharacter>,
    /// The snapshot of all online characters that the request belongs to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub snapshot_id: Option<SnapshotId>,
    /// Whether the snapshot is complete. Characters of this game server that are not in it become offline.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub last_part: bool,
    /// The world that all these characters are in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub world: Option<World>,
}

/// Characters were created and updated.
#[derive(Debug, Serialize, Deserialize, Object)]
#[oai(example)]
pub struct CharactersUpserted {
    pub created: i64,
    pub updated: i64,
    pub unchanged: i64,
    /// Characters that were not stored, with the reasons. The others were.
    pub skipped: Vec<SkippedCharacter>,
}

impl Declaration for UpsertCharacters {
    type Output = CharactersUpserted;
    type Refusal = GameRefusal;

    const NAME: &'static str = "game.upsert_characters";
    const SENDER: Sender = Sender::GameServer;
    const REFUSALS: &'static [GameRefusal] = &[];
    const EXAMPLE: &'static str = r#"{"characters":[{"name":"Mira","level":60,"vocation":"Druid","online":true,"account_id":null},{"name":"Tom","level":1,"vocation":"Knight","online":false,"account_id":3}]}"#;

    fn partition_key(&self, _: Actor) -> Option<PartitionKey> {
        None
    }
}

crate::examples! {
    CharactersUpserted {
        "created": 1, "updated": 12, "unchanged": 387, "skipped": [{ "name": "Lost One", "reason": "account_missing" }]
    }
}
