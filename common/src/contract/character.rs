//! Characters: how they are named and identified, and how players create, rename and delete them.

use chrono::{DateTime, Utc};
use poem_openapi::Object;
use serde::{Deserialize, Serialize};

use super::values::{LETTERS, TITLE};
use crate::{id_types, number_types, text_types};

/// The names that games allow: letters, digits and underscores, with single spaces, apostrophes and hyphens between them.
pub const CHARACTER_NAME: &str = r"^[A-Za-z0-9_]+([ '-][A-Za-z0-9_]+)*$";

text_types! {
    /// The name of a character, unique without regard to case. A site may allow fewer names.
    CharacterName { 3 ..= 29, CHARACTER_NAME, "Mira Stormborn", trimmed }
    /// The class of a character that a player creates.
    Vocation { 1 ..= 30, LETTERS, "Elder Druid", trimmed }
    /// The class of a character, in the words of the game. The game may use all letters, digits and signs.
    GameVocation { 1 ..= 30, TITLE, "Elder Druid", trimmed }
}

id_types! {
    /// The id of a character. It stays the same when the name changes.
    CharacterId
}

number_types! {
    Level(i32, "int32") { 1 ..= 1_000_000, 8 }
}

/// Identifies a character by its id or by its name.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CharacterRef {
    Id(CharacterId),
    Name(CharacterName),
}

/// Creates a character of the account. A command of the domain `account`.
#[derive(Debug, Serialize, Deserialize)]
pub struct CreateCharacter {
    pub name: CharacterName,
    pub vocation: Vocation,
}

/// Renames a character of the account. A command of the domain `account`.
#[derive(Debug, Serialize, Deserialize)]
pub struct RenameCharacter {
    pub character: CharacterRef,
    pub new_name: CharacterName,
}

/// Requests the deletion of a character of the account. A job deletes it some days later. A command of the domain `account`.
#[derive(Debug, Serialize, Deserialize)]
pub struct DeleteCharacter {
    pub character: CharacterRef,
}

/// Cancels the deletion of a character. A command of the domain `account`.
#[derive(Debug, Serialize, Deserialize)]
pub struct CancelCharacterDeletion {
    pub character: CharacterRef,
}

/// A character was created.
#[derive(Debug, Serialize, Deserialize, Object)]
#[oai(example)]
pub struct CharacterCreated {
    pub character_id: CharacterId,
    pub name: String,
    pub level: i32,
    pub vocation: String,
}

/// A character was renamed.
#[derive(Debug, Serialize, Deserialize, Object)]
#[oai(example)]
pub struct CharacterRenamed {
    pub character_id: CharacterId,
    pub former_name: String,
    pub name: String,
    /// The coins that the account paid.
    pub coins: i64,
}

/// A character will be deleted. Until then, its owner can cancel it.
#[derive(Debug, Serialize, Deserialize, Object)]
#[oai(example)]
pub struct CharacterDeletionRequested {
    pub character_id: CharacterId,
    pub deletion_due_at: DateTime<Utc>,
}

/// A character will not be deleted.
#[derive(Debug, Serialize, Deserialize, Object)]
#[oai(example)]
pub struct CharacterDeletionCancelled {
    pub character_id: CharacterId,
}

crate::examples! {
    CharacterCreated { "character_id": 7, "name": "Mira Stormborn", "level": 1, "vocation": "Elder Druid" }
    CharacterRenamed { "character_id": 7, "former_name": "Mira Stormborn", "name": "Mira Ashwood", "coins": 50 }
    CharacterDeletionRequested { "character_id": 7, "deletion_due_at": "2030-01-08T12:00:00Z" }
    CharacterDeletionCancelled { "character_id": 7 }
}
