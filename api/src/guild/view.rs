//! One guild, and what the caller may do there.

use std::time::Duration;

use chrono::{DateTime, Utc};
use guildhall_common::{
    contract::{
        cache_key::CacheKey,
        guild::{GuildName, GuildRank, guild_key},
    },
    platform::cache::Cacheable,
};
use poem_openapi::{Enum, Object};
use serde::{Deserialize, Serialize};
use sqlx::types::Json;

use crate::{
    guild::read::TTL,
    http::{
        problem::Problem,
        read_response::{ReadResponse, cached_body},
    },
    state::State,
};

/// A guild with its members.
#[derive(Debug, Serialize, Deserialize, Object)]
#[oai(example)]
pub(super) struct GuildView {
    pub guild_id: i64,
    pub name: String,
    pub motd: String,
    pub description: String,
    pub created_at: DateTime<Utc>,
    /// By rank, then name.
    pub members: Vec<GuildMember>,
    /// What the caller's own characters may do here; missing for who is not signed in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub own_characters: Option<Vec<OwnCharacter>>,
}

/// A member of a guild.
#[derive(Debug, Serialize, Deserialize, Object)]
pub(super) struct GuildMember {
    pub character_id: i64,
    pub name: String,
    pub rank: GuildRank,
    pub level: i32,
    pub vocation: String,
    pub online: bool,
    pub joined_at: DateTime<Utc>,
}

/// A character of the caller's, seen from a guild.
#[derive(Debug, Serialize, Deserialize, Object)]
pub(super) struct OwnCharacter {
    pub character_id: i64,
    pub name: String,
    /// Missing for a character that is not a member.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rank: Option<GuildRank>,
    pub may: Vec<GuildAction>,
}

/// What a character may do in a guild.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Enum)]
#[oai(rename_all = "snake_case")]
#[serde(rename_all = "snake_case")]
pub(super) enum GuildAction {
    AcceptInvite,
    DeclineInvite,
    Leave,
    Invite,
    CancelInvite,
    Kick,
    ChangeMotd,
    ChangeDescription,
    ChangeRank,
    PassLeadership,
    Delete,
}

struct OneGuild<'a>(&'a GuildName);

impl Cacheable for OneGuild<'_> {
    const TTL: Duration = TTL;

    fn key(&self) -> CacheKey {
        guild_key(self.0)
    }
}

pub(super) async fn guild(state: &State, name: &GuildName) -> Result<ReadResponse<GuildView>, Problem> {
    ReadResponse::cached(&state.cache, &OneGuild(name), async {
        cached_body(&load_guild(state, name).await?, None)
    })
    .await
}

/// The same with what the caller's characters may do.
pub(super) async fn guild_for(
    state: &State,
    name: &GuildName,
    account_id: i64,
) -> Result<ReadResponse<GuildView>, Problem> {
    let load = async { cached_body(&load_guild(state, name).await?, None) };
    let public = state.cache.get_or_load(&OneGuild(name), load).await?;
    let mut view: GuildView = serde_json::from_slice(&public.body)
        .map_err(|error| Problem::internal("a cached guild cannot be read", &error))?;
    let own = sqlx::query!(
        r#"select character_id, name, guild_members.rank as "rank?",
                  exists (select from guild_invites
                          where guild_invites.guild_id = $2 and guild_invites.character_id = characters.character_id
                            and expires_at > now()) as "invited!",
                  (guild_id is null) as "free!",
                  (guild_id = $2 and character_id = (select leader_id from guilds where guild_id = $2)) as "leader?",
                  (guild_id = $2) as "member?"
           from characters left join guild_members using (character_id)
           where account_id = $1 order by name_key"#,
        account_id,
        view.guild_id,
    )
    .fetch_all(&state.database)
    .await?;
    let own = own.into_iter().map(|row| {
        let rank = match (row.member, row.leader, row.rank) {
            (Some(true), Some(true), _) => Some(GuildRank::Leader),
            (Some(true), _, Some(2)) => Some(GuildRank::ViceLeader),
            (Some(true), ..) => Some(GuildRank::Member),
            _ => None,
        };
        let may = may(rank, row.invited && row.free);
        OwnCharacter { character_id: row.character_id, name: row.name, rank, may }
    });
    view.own_characters = Some(own.collect());
    ReadResponse::private(&view)
}

/// The rules of the workers, told in advance; whether a character is online is left out.
fn may(rank: Option<GuildRank>, invited: bool) -> Vec<GuildAction> {
    use GuildAction::{
        AcceptInvite, CancelInvite, ChangeDescription, ChangeMotd, ChangeRank, DeclineInvite, Delete, Invite,
        Kick, Leave, PassLeadership,
    };
    match rank {
        None if invited => vec![AcceptInvite, DeclineInvite],
        None => vec![],
        Some(GuildRank::Member) => vec![Leave],
        Some(GuildRank::ViceLeader) => vec![Leave, Invite, CancelInvite, Kick, ChangeMotd, ChangeDescription],
        Some(GuildRank::Leader) => {
            vec![
                Invite,
                CancelInvite,
                Kick,
                ChangeMotd,
                ChangeDescription,
                ChangeRank,
                PassLeadership,
                Delete,
            ]
        }
    }
}

async fn load_guild(state: &State, name: &GuildName) -> Result<GuildView, Problem> {
    let row = sqlx::query!(
        r#"select guild_id, name, motd, description, created_at,
                  (select jsonb_agg(jsonb_build_object(
                              'character_id', character_id, 'name', characters.name, 'level', level,
                              'vocation', vocation, 'online', online, 'joined_at', joined_at,
                              'rank', case when character_id = leader_id then 'leader'
                                           when rank = 2 then 'vice_leader' else 'member' end)
                          order by character_id = leader_id desc, rank desc, characters.name_key)
                   from guild_members join characters using (character_id)
                   where guild_members.guild_id = guilds.guild_id) as "members!: Json<Vec<GuildMember>>"
           from guilds where name_key = $1"#,
        name.key(),
    )
    .fetch_optional(&state.database)
    .await?
    .ok_or_else(|| Problem::not_found("guild_not_found", "There is no such guild."))?;
    Ok(GuildView {
        guild_id: row.guild_id,
        name: row.name,
        motd: row.motd,
        description: row.description,
        created_at: row.created_at,
        members: row.members.0,
        own_characters: None,
    })
}

guildhall_common::examples! {
    GuildView {
        "guild_id": 1, "name": "Night Watch", "motd": "Meeting on Sunday at eight.",
        "description": "We guard the northern wall.", "created_at": "2030-01-01T12:00:00Z",
        "members": [{
            "character_id": 7, "name": "Mira Stormborn", "rank": "leader", "level": 60, "vocation": "Elder Druid",
            "online": true, "joined_at": "2030-01-01T12:00:00Z"
        }],
        "own_characters": [{ "character_id": 8, "name": "Tom Ashwood", "rank": "member", "may": ["leave"] }]
    }
}
