//! The bodies of requests about guilds.

use guildhall_common::contract::{
    character::{CharacterId, CharacterName, CharacterRef},
    guild::{GuildDescription, GuildId, GuildName, Motd},
};
use poem_openapi::Object;
use serde::Deserialize;

use crate::http::{character_ref::character_ref, problem::Problem};

/// A new guild and the character that leads it: `character_id` or `character_name`.
#[derive(Debug, Deserialize, Object)]
#[serde(deny_unknown_fields)]
#[oai(deny_unknown_fields, example)]
pub(crate) struct NewGuild {
    pub name: GuildName,
    pub character_id: Option<CharacterId>,
    pub character_name: Option<CharacterName>,
}

/// A character and a guild: `character_id` or `character_name`.
#[derive(Debug, Deserialize, Object)]
#[serde(deny_unknown_fields)]
#[oai(deny_unknown_fields, example)]
pub(crate) struct GuildCharacter {
    guild_id: GuildId,
    character_id: Option<CharacterId>,
    character_name: Option<CharacterName>,
}

impl GuildCharacter {
    /// The ids of the guild and the character.
    ///
    /// # Errors
    /// 400 when the body does not identify the character by exactly one field.
    pub(super) fn refs(self) -> Result<(GuildId, CharacterRef), Problem> {
        Ok((self.guild_id, character_ref(self.character_id, self.character_name)?))
    }
}

/// The invites to list.
#[derive(Debug, Deserialize, Object)]
#[serde(deny_unknown_fields)]
#[oai(deny_unknown_fields, example)]
pub(crate) struct InviteFilter {
    /// The guild whose invites to list. Missing: the invites of the caller's characters.
    pub guild_id: Option<GuildId>,
}

/// The new message of the day of a guild.
#[derive(Debug, Deserialize, Object)]
#[serde(deny_unknown_fields)]
#[oai(deny_unknown_fields, example)]
pub(crate) struct NewMotd {
    pub guild_id: GuildId,
    pub motd: Motd,
}

/// The new description of a guild.
#[derive(Debug, Deserialize, Object)]
#[serde(deny_unknown_fields)]
#[oai(deny_unknown_fields, example)]
pub(crate) struct NewDescription {
    pub guild_id: GuildId,
    pub description: GuildDescription,
}

/// The guild to delete.
#[derive(Debug, Deserialize, Object)]
#[serde(deny_unknown_fields)]
#[oai(deny_unknown_fields, example)]
pub(crate) struct GuildToDelete {
    pub guild_id: GuildId,
}

guildhall_common::examples! {
    NewGuild { "name": "Night Watch", "character_name": "Mira Stormborn" }
    GuildCharacter { "guild_id": 1, "character_name": "Tom Ashwood" }
    InviteFilter { "guild_id": 1 }
    NewMotd { "guild_id": 1, "motd": "Meeting on Sunday at eight." }
    NewDescription { "guild_id": 1, "description": "We guard the northern wall." }
    GuildToDelete { "guild_id": 1 }
}
