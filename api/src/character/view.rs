//! One character, as everybody sees it. It is not cached: each report of a game server may change it.

use chrono::{DateTime, Utc};
use guildhall_common::contract::{
    account::AccountRefusal,
    character::{CharacterId, CharacterName},
    command::Refusal,
    guild::{GuildId, GuildRank},
};
use poem_openapi::Object;
use serde::{Deserialize, Serialize};
use sqlx::types::Json;

use crate::{
    http::{
        problem::Problem,
        read_response::{ReadResponse, cached_body},
    },
    state::State,
};

/// A character.
#[derive(Debug, Deserialize, Serialize, Object)]
#[oai(example)]
pub(super) struct CharacterView {
    pub character_id: CharacterId,
    pub name: String,
    pub level: i32,
    pub vocation: String,
    pub online: bool,
    /// Missing if the character is in no guild.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub guild: Option<CharacterGuild>,
    pub created_at: DateTime<Utc>,
}

/// The guild of a character, and its rank there.
#[derive(Debug, Deserialize, Serialize, Object)]
pub(super) struct CharacterGuild {
    pub guild_id: GuildId,
    pub name: String,
    pub rank: GuildRank,
    pub joined_at: DateTime<Utc>,
}

/// A character that is not deleted.
///
/// # Errors
/// 404 when there is no such character; 503 when the database does not respond.
pub(super) async fn character(
    state: &State,
    name: &CharacterName,
) -> Result<ReadResponse<CharacterView>, Problem> {
    let row = sqlx::query!(
        r#"select character_id as "character_id: CharacterId", name, level, vocation, online, created_at,
                  (select jsonb_build_object(
                              'guild_id', guild_id, 'name', guilds.name, 'joined_at', joined_at,
                              'rank', guild_rank_name(guild_rank(guild_members.character_id = leader_id, rank)))
                   from guild_members join guilds using (guild_id)
                   where guild_members.character_id = characters.character_id) as "guild: Json<CharacterGuild>"
           from characters where name_key = $1 and deleted_at is null"#,
        name.key(),
    )
    .fetch_optional(&state.database)
    .await?
    .ok_or_else(|| AccountRefusal::CharacterNotFound.refused())?;
    let view = CharacterView {
        character_id: row.character_id,
        name: row.name,
        level: row.level,
        vocation: row.vocation,
        online: row.online,
        guild: row.guild.map(|guild| guild.0),
        created_at: row.created_at,
    };
    Ok(ReadResponse::public_body(cached_body(&view, None)?))
}

guildhall_common::examples! {
    CharacterView {
        "character_id": 7, "name": "Mira Stormborn", "level": 60, "vocation": "Elder Druid", "online": true,
        "guild": { "guild_id": 1, "name": "Night Watch", "rank": "leader", "joined_at": "2030-01-01T12:00:00Z" },
        "created_at": "2030-01-01T12:00:00Z"
    }
}
