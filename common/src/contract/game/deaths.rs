//! The deaths of characters that a game server reports.

use poem_openapi::{Enum, Object};
use serde::{Deserialize, Serialize};
use sqlx::{Decode, Postgres, Type, error::BoxDynError, postgres::PgTypeInfo};

use crate::{
    contract::{
        character::Level,
        game::characters::ReportedName,
        values::{LINE, Timestamp},
    },
    text_types,
};

text_types! {
    /// The id of a death. The game chooses it. No two deaths of a character have the same one.
    DeathId { 1 ..= 64, r"^[!-~]+$", "world-1:5021" }
    /// What killed a character, in the words of the game, or the name of the player's character that killed it. A death without one is
    /// skipped.
    KillerName { 0 ..= 255, LINE, "a dragon lord" }
}

impl Type<Postgres> for DeathId {
    fn type_info() -> PgTypeInfo {
        <String as Type<Postgres>>::type_info()
    }
}

impl<'r> Decode<'r, Postgres> for DeathId {
    fn decode(value: <Postgres as sqlx::Database>::ValueRef<'r>) -> Result<Self, BoxDynError> {
        Ok(<String as Decode<Postgres>>::decode(value)?.parse()?)
    }
}

/// The death of a character.
#[derive(Debug, Clone, Serialize, Deserialize, Object)]
#[serde(deny_unknown_fields)]
#[oai(deny_unknown_fields)]
pub struct ReportedDeath {
    pub death_id: DeathId,
    /// The character that died. The game must have confirmed it.
    pub character_name: ReportedName,
    pub died_at: Timestamp,
    /// The level of the character when it died.
    pub level: Level,
    pub killed_by: KillerName,
    /// Whether `killed_by` is the character of a player. The site shows its current name, and none if it does not know the character.
    pub killer_is_player: bool,
}

/// A death that was not stored.
#[derive(Debug, Serialize, Deserialize, Object)]
pub struct SkippedDeath {
    pub death_id: DeathId,
    pub reason: DeathSkipReason,
}

/// Why a death was not stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Enum)]
#[oai(rename_all = "snake_case")]
#[serde(rename_all = "snake_case")]
pub enum DeathSkipReason {
    /// The site does not know the character.
    CharacterNotFound,
    /// A player has created a character with this name, and the game has not confirmed it.
    NotConfirmed,
    /// The death is more than five minutes in the future, by the clock of the site.
    InFuture,
    /// `killed_by` is empty.
    KillerMissing,
}
