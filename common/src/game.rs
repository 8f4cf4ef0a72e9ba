//! What a game server tells of itself: characters and who is online.

use poem_openapi::Object;
use serde::{Deserialize, Serialize};

use crate::{
    account::{CharacterName, Level, Vocation},
    domain,
    nullable::Optional,
    numbers,
};

domain! {
    GameCommand = "game" {
        "game.upsert_characters" => UpsertCharacters -> CharactersUpserted,
    }
}

numbers! {
    AccountId(i64, "int64") { 1 ..= i64::MAX, 1 }
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
    #[serde(default)]
    pub account_id: Optional<AccountId>,
}

/// Bring many characters up to date; of one that is named twice the last counts.
#[derive(Debug, Serialize, Deserialize)]
pub struct UpsertCharacters {
    pub characters: Vec<GameCharacter>,
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
    CharactersUpserted { "created": 1, "updated": 12, "unchanged": 387, "skipped": ["Lost One"] }
}
