//! One guild, and the actions that the caller's characters may take in it.

use std::time::Duration;

use chrono::{DateTime, Utc};
use guildhall_common::{
    contract::{
        account::AccountId,
        cache_key::CacheKey,
        character::CharacterId,
        command::Refusal,
        guild::{GuildAction, GuildId, GuildName, GuildRank, GuildRefusal, LogoHash, guild_key},
    },
    platform::cache::Cacheable,
};
use poem_openapi::Object;
use serde::{Deserialize, Serialize};
use sqlx::{PgPool, types::Json};

use crate::{
    guild::guilds::TTL,
    http::{
        problem::Problem,
        read_response::{ReadResponse, cached_body},
    },
    state::State,
};

/// The maximum number of the caller's characters in a response.
const MAX_OWN_CHARACTERS: i64 = 100;

/// A guild with its members.
#[derive(Debug, Serialize, Deserialize, Object)]
#[oai(example)]
pub(super) struct GuildView {
    pub guild_id: GuildId,
    pub name: String,
    /// The message of the day.
    pub motd: String,
    pub description: String,
    /// Missing if the guild has no logo.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub logo: Option<LogoHash>,
    pub created_at: DateTime<Utc>,
    /// Sorted by rank, highest first, then by name.
    pub members: Vec<GuildMember>,
    /// The caller's characters that are members of the guild or have an open invite: at most 100, members first. Missing without
    /// a token.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub own_characters: Option<Vec<OwnCharacter>>,
}

/// A member of a guild.
#[derive(Debug, Serialize, Deserialize, Object)]
pub(super) struct GuildMember {
    pub character_id: CharacterId,
    pub name: String,
    pub rank: GuildRank,
    /// The nick in the guild. Missing if the member has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nick: Option<String>,
    pub level: i32,
    pub vocation: String,
    pub online: bool,
    pub joined_at: DateTime<Utc>,
}

/// A character of the caller, and the actions that it may take in the guild.
#[derive(Debug, Serialize, Deserialize, Object)]
pub(super) struct OwnCharacter {
    pub character_id: CharacterId,
    pub name: String,
    /// Missing if the character is not a member.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rank: Option<GuildRank>,
    /// Allowed actions. Some of them also require that the character is offline.
    pub may: Vec<GuildAction>,
}

struct OneGuild<'a>(&'a GuildName);

impl Cacheable for OneGuild<'_> {
    const TTL: Duration = TTL;

    fn key(&self) -> CacheKey {
        guild_key(self.0)
    }
}

/// The guild as everybody sees it.
///
/// # Errors
/// 404 when the guild does not exist; 503 when the database does not respond.
pub(super) async fn guild(state: &State, name: &GuildName) -> Result<ReadResponse<GuildView>, Problem> {
    ReadResponse::cached(&state.cache, &OneGuild(name), async || {
        cached_body(&load_guild(&state.database, name).await?, None)
    })
    .await
}

/// The guild with the caller's characters and the actions that they may take. A game server has no characters.
///
/// # Errors
/// 404 when the guild does not exist; 503 when the database does not respond.
pub(super) async fn guild_for(
    state: &State,
    name: &GuildName,
    account_id: Option<AccountId>,
) -> Result<ReadResponse<GuildView>, Problem> {
    let load = async || cached_body(&load_guild(&state.database, name).await?, None);
    let public = state.cache.get_or_load(&OneGuild(name), load).await?;
    let mut view: GuildView = serde_json::from_slice(&public.body)
        .map_err(|error| Problem::internal("cached guild is not readable", &error))?;
    view.own_characters = Some(own_characters(&state.database, &view, account_id).await?);
    ReadResponse::private(&view)
}

async fn own_characters(
    database: &PgPool,
    guild: &GuildView,
    account_id: Option<AccountId>,
) -> sqlx::Result<Vec<OwnCharacter>> {
    let members: Vec<i64> = guild.members.iter().map(|member| member.character_id.get()).collect();
    let rows = sqlx::query!(
        // An account may have thousands of characters, and a guild as many invites.
        r#"with related as (
               select character_id from characters where account_id = $1 and character_id = any($3)
               union
               select character_id from guild_invites join characters using (character_id)
               where guild_invites.guild_id = $2 and expires_at > now() and account_id = $1 and deleted_at is null
           )
           select character_id as "character_id!: CharacterId", name,
                  deletion_due_at is null and not exists (select from guild_members
                              where guild_members.character_id = characters.character_id)
                  and exists (select from guild_invites
                              where guild_invites.guild_id = $2 and expires_at > now()
                                and guild_invites.character_id = characters.character_id) as "can_join!"
           from related join characters using (character_id) where deleted_at is null
           order by character_id = any($3) desc, name_key limit $4"#,
        account_id as Option<AccountId>,
        guild.guild_id.get(),
        &members,
        MAX_OWN_CHARACTERS,
    )
    .fetch_all(database)
    .await?;
    let characters = rows.into_iter().map(|row| {
        let member = guild.members.iter().find(|member| member.character_id == row.character_id);
        let rank = member.map(|member| member.rank);
        let may = GuildAction::allowed(rank, row.can_join).collect();
        OwnCharacter { character_id: row.character_id, name: row.name, rank, may }
    });
    Ok(characters.collect())
}

async fn load_guild(database: &PgPool, name: &GuildName) -> Result<GuildView, Problem> {
    let row = sqlx::query!(
        r#"select guild_id as "guild_id: GuildId", name, motd, description, created_at,
                  (select hash from logos where logos.logo_id = guilds.logo_id and blocked_at is null) as "logo: LogoHash",
                  (select jsonb_agg(jsonb_build_object(
                              'character_id', character_id, 'name', characters.name, 'level', level,
                              'vocation', vocation, 'online', online, 'nick', nullif(nick, ''), 'joined_at', joined_at,
                              'rank', guild_rank_name(guild_rank(character_id = leader_id, rank)))
                          order by guild_rank(character_id = leader_id, rank) desc, characters.name_key)
                   from guild_members join characters using (character_id)
                   where guild_members.guild_id = guilds.guild_id) as "members!: Json<Vec<GuildMember>>"
           from guilds where name_key = $1"#,
        name.key(),
    )
    .fetch_optional(database)
    .await?
    .ok_or_else(|| GuildRefusal::GuildNotFound.refused())?;
    Ok(GuildView {
        guild_id: row.guild_id,
        name: row.name,
        motd: row.motd,
        description: row.description,
        logo: row.logo,
        created_at: row.created_at,
        members: row.members.0,
        own_characters: None,
    })
}

guildhall_common::examples! {
    GuildView {
        "guild_id": 1, "name": "Night Watch", "motd": "Meeting on Sunday at eight.",
        "description": "We guard the northern wall.",
        "logo": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08", "created_at": "2030-01-01T12:00:00Z",
        "members": [{
            "character_id": 7, "name": "Mira Stormborn", "rank": "leader", "nick": "The Wall", "level": 60, "vocation": "Elder Druid",
            "online": true, "joined_at": "2030-01-01T12:00:00Z"
        }],
        "own_characters": [{ "character_id": 8, "name": "Tom Ashwood", "rank": "member", "may": ["leave"] }]
    }
}
