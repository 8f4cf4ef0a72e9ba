//! The command `game.delete_characters`.

use poem_openapi::Object;
use serde::{Deserialize, Serialize};

use super::{characters::GameCharacterId, refusal::GameRefusal};
use crate::contract::{
    actor::Actor,
    command::{Declaration, Sender},
    partition_key::PartitionKey,
};

/// Deletes characters that the game has deleted.
#[derive(Debug, Serialize, Deserialize)]
pub struct DeleteGameCharacters {
    pub game_character_ids: Vec<GameCharacterId>,
}

/// Characters were deleted.
#[derive(Debug, Serialize, Deserialize, Object)]
#[oai(example)]
pub struct GameCharactersDeleted {
    /// Deleted by this request.
    pub deleted: Vec<GameCharacterId>,
    /// The site knows no character with this id. It may have been deleted before.
    pub unknown: Vec<GameCharacterId>,
}

impl Declaration for DeleteGameCharacters {
    type Output = GameCharactersDeleted;
    type Refusal = GameRefusal;

    const NAME: &'static str = "game.delete_characters";
    const SENDER: Sender = Sender::GameServer;
    const REFUSALS: &'static [GameRefusal] = &[];
    const EXAMPLE: &'static str = r#"{"game_character_ids":["world-1:812"]}"#;

    fn partition_key(&self, _: Actor) -> Option<PartitionKey> {
        None
    }
}

crate::examples! {
    GameCharactersDeleted { "deleted": ["world-1:812"], "unknown": [] }
}
