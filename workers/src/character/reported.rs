//! The characters in a request of a game server.

use std::collections::BTreeMap;

use guildhall_common::contract::{
    character::{CharacterName, GameVocation},
    game::GameCharacter,
};

/// Reported characters by the key of their name.
pub(super) type Reported<'a> = BTreeMap<String, ReportedCharacter<'a>>;

/// A character whose name and vocation the site allows.
pub(super) struct ReportedCharacter<'a> {
    pub(super) name: CharacterName,
    pub(super) vocation: GameVocation,
    pub(super) character: &'a GameCharacter,
}

impl ReportedCharacter<'_> {
    /// The id of the character in the game.
    pub(super) fn game_id(&self) -> Option<&str> {
        self.character.game_character_id.as_deref()
    }
}

/// The reported characters as columns for `unnest`.
#[derive(Default)]
pub(super) struct CharacterColumns {
    pub(super) keys: Vec<String>,
    pub(super) names: Vec<String>,
    pub(super) levels: Vec<i32>,
    pub(super) vocations: Vec<String>,
    pub(super) online: Vec<bool>,
    /// The ids of the owners' accounts.
    pub(super) accounts: Vec<Option<i64>>,
    /// The ids of the characters in the game.
    pub(super) game_ids: Vec<Option<String>>,
}

/// The keys of the characters that are online.
pub(super) fn online_keys(reported: &Reported<'_>) -> Vec<String> {
    let online = reported.iter().filter(|(_, reported)| reported.character.online);
    online.map(|(key, _)| key.clone()).collect()
}

impl CharacterColumns {
    pub(super) fn of(reported: &Reported<'_>) -> Self {
        let mut columns = Self::default();
        for (key, ReportedCharacter { name, vocation, character }) in reported {
            columns.keys.push(key.clone());
            columns.names.push(name.to_string());
            columns.levels.push(character.level.get());
            columns.vocations.push(vocation.to_string());
            columns.online.push(character.online);
            columns.accounts.push(character.account_id.map(|id| id.get()));
            columns.game_ids.push(character.game_character_id.as_deref().map(ToOwned::to_owned));
        }
        columns
    }
}
