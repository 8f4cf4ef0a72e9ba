//! Characters: how they are named, identified and created.

use poem_openapi::Object;
use serde::{Deserialize, Serialize};

use super::values::LETTERS;
use crate::{id_types, number_types, text_types};

/// The names that games allow: letters, digits and underscores, with single spaces, apostrophes and hyphens between them.
const CHARACTER_NAME: &str = r"^[A-Za-z0-9_]+([ '-][A-Za-z0-9_]+)*$";

text_types! {
    /// The name of a character, unique without regard to case. A site may allow fewer names.
    CharacterName { 3 ..= 29, CHARACTER_NAME, "Mira Stormborn", trimmed }
    /// The class of a character, in the words of the game.
    Vocation { 1 ..= 30, LETTERS, "Elder Druid", trimmed }
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

/// A character was created.
#[derive(Debug, Serialize, Deserialize, Object)]
#[oai(example)]
pub struct CharacterCreated {
    pub character_id: CharacterId,
    pub name: String,
    pub level: i32,
    pub vocation: String,
}

crate::examples! {
    CharacterCreated { "character_id": 7, "name": "Mira Stormborn", "level": 1, "vocation": "Elder Druid" }
}
