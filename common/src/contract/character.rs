//! Characters: how they are named and identified.

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
