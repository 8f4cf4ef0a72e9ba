//! The states of what games must know, as the functions `…_state` of `migrations/0020_game_changes.sql` make them.

use chrono::{DateTime, Utc};
use guildhall_common::contract::{
    account::AccountId,
    character::CharacterId,
    guild::{GuildId, GuildRank},
};
use poem_openapi::Object;
use serde::{Deserialize, Serialize};

/// The state of an account, a character, a guild or a membership: exactly one of them.
#[derive(Debug, Serialize, Deserialize, Object)]
#[oai(example)]
pub(crate) struct GameState {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub account: Option<AccountState>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub character: Option<CharacterState>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub guild: Option<GuildState>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub membership: Option<MembershipState>,
}

/// An account.
#[derive(Debug, Serialize, Deserialize, Object)]
pub(crate) struct AccountState {
    pub account_id: AccountId,
    /// Missing if the account is deleted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Missing if the staff has not suspended the account.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub suspension: Option<SuspensionState>,
    pub deleted: bool,
}

/// A suspension of an account.
#[derive(Debug, Serialize, Deserialize, Object)]
pub(crate) struct SuspensionState {
    /// The end, which may have passed. Missing: for ever.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub until: Option<DateTime<Utc>>,
    /// The player reads it.
    pub reason: String,
}

/// A character.
#[derive(Debug, Serialize, Deserialize, Object)]
pub(crate) struct CharacterState {
    pub character_id: CharacterId,
    /// Its owner.
    pub account_id: AccountId,
    /// Missing if the character is deleted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The vocation at this time. A new one is no change. Missing if the character is deleted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub vocation: Option<String>,
    /// Missing if no game server has reported one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub world: Option<String>,
    /// The id of the character in the game. Missing if no game server has reported it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub game_character_id: Option<String>,
    /// A deleted character is in no guild.
    pub deleted: bool,
}

/// A guild.
#[derive(Debug, Serialize, Deserialize, Object)]
pub(crate) struct GuildState {
    pub guild_id: GuildId,
    /// Missing if the guild is deleted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The character that leads the guild. Missing if the guild is deleted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub leader_id: Option<CharacterId>,
    /// The message of the day. Missing if the guild is deleted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub motd: Option<String>,
    /// Missing if the guild is deleted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub created_at: Option<DateTime<Utc>>,
    /// A deleted guild has no members.
    pub deleted: bool,
}

/// The membership of a character in a guild.
#[derive(Debug, Serialize, Deserialize, Object)]
pub(crate) struct MembershipState {
    pub character_id: CharacterId,
    /// Missing if the character is in no guild.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub guild_id: Option<GuildId>,
    /// Missing if the character is in no guild.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rank: Option<GuildRank>,
    /// The nick in the guild. Missing if it has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nick: Option<String>,
    /// Missing if the character is in no guild.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub joined_at: Option<DateTime<Utc>>,
}

guildhall_common::examples! {
    GameState { "character": {
        "character_id": 7, "account_id": 3, "name": "Mira Stormborn", "vocation": "Druid", "world": "Antica",
        "game_character_id": "world-1:812", "deleted": false
    } }
}
