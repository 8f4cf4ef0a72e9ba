//! The characters that a game server reports, and their presence.

use poem_openapi::{Enum, Object};
use serde::{Deserialize, Serialize};

use crate::{
    contract::{
        actor::AccountId,
        character::Level,
        values::{LINE, TITLE},
    },
    text_types, uuid_ids,
};

text_types! {
    /// The name of a character in the words of the game. A character whose name the site does not allow is skipped.
    ReportedName { 0 ..= 255, LINE, "Mira Stormborn" }
    /// The class of a character in the words of the game. The site allows 1 to 30 characters without the spaces around them. A
    /// character with another vocation is skipped.
    ReportedVocation { 0 ..= 255, LINE, "Elder Druid" }
    /// The id of a character in the game. It never changes, and no two characters have the same one, not even in two worlds or after
    /// a deletion.
    GameCharacterId { 1 ..= 64, r"^[!-~]+$", "world-1:812" }
    /// A world of the game.
    World { 1 ..= 30, TITLE, "Antica", trimmed }
}

uuid_ids! {
    /// The id of a snapshot. The game server chooses a new one for each snapshot.
    SnapshotId
}

/// A character as the game server knows it.
#[derive(Debug, Clone, Serialize, Deserialize, Object)]
#[serde(deny_unknown_fields)]
#[oai(deny_unknown_fields)]
pub struct GameCharacter {
    pub name: ReportedName,
    pub level: Level,
    pub vocation: ReportedVocation,
    pub online: bool,
    /// The account of its owner. It confirms a character that a player has created, and it is required for a character that the
    /// site does not know. The owner of a confirmed character changes only if the request has its `game_character_id`.
    pub account_id: Option<AccountId>,
    /// Its id in the game. With it, the site follows the name and the owner that change in the game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub game_character_id: Option<GameCharacterId>,
}

/// A character that was not stored.
#[derive(Debug, Serialize, Deserialize, Object)]
pub struct SkippedCharacter {
    pub name: String,
    pub reason: SkipReason,
}

/// Why a character was not stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Enum)]
#[oai(rename_all = "snake_case")]
#[serde(rename_all = "snake_case")]
pub enum SkipReason {
    /// The site does not allow this name.
    NameNotAllowed,
    /// The site does not allow this vocation.
    VocationNotAllowed,
    /// The site does not know the character, and the request has no `account_id`.
    AccountMissing,
    /// This account does not exist.
    AccountNotFound,
    /// A player has created a character with this name, and the request has no `account_id` that confirms it.
    NotConfirmed,
    /// The character is confirmed for another account.
    OtherOwner,
}
