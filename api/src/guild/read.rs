//! Views of guilds, their TTL, their SELECTs.

use std::time::Duration;

use chrono::{DateTime, Utc};
use guildhall_common::{
    cache::{Key, View},
    guild::{GuildId, GuildName, GuildRank, free_characters_key, guild_key, guilds_key},
    texts,
    values::{Limit, Page},
};
use poem::http::StatusCode;
use poem_openapi::{Enum, Object};
use serde::{Deserialize, Serialize};
use sqlx::types::Json;

use crate::{
    State,
    problem::Problem,
    read::{Found, Listing, page_of, stored},
};

const TTL: Duration = Duration::from_secs(300);

texts! {
    /// How a character's name begins.
    CharacterPrefix { 1 ..= 29, r"^[A-Za-z]+([ '-][A-Za-z]+)*$", "Mi" }
}

/// A guild in the list.
#[derive(Debug, Deserialize, Serialize, Object)]
#[oai(example)]
pub(super) struct GuildSummary {
    pub guild_id: i64,
    pub name: String,
    pub description: String,
    pub leader_name: String,
    pub members: i64,
    pub created_at: DateTime<Utc>,
}

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

/// A character without a guild.
#[derive(Debug, Deserialize, Serialize, Object)]
#[oai(example)]
pub(super) struct FreeCharacter {
    pub character_id: i64,
    pub name: String,
    pub level: i32,
    pub vocation: String,
    pub online: bool,
}

/// An invite that has not expired.
#[derive(Debug, Deserialize, Serialize, Object)]
#[oai(example)]
pub(super) struct GuildInvite {
    pub guild_id: i64,
    pub guild_name: String,
    pub character_id: i64,
    pub character_name: String,
    pub invited_by: String,
    pub invited_at: DateTime<Utc>,
    pub expires_at: DateTime<Utc>,
}

struct GuildsPage(Page, Limit);

impl View for GuildsPage {
    const TTL: Duration = TTL;

    fn key(&self) -> Key {
        guilds_key()
    }

    fn field(&self) -> String {
        format!("{}:{}", self.0.get(), self.1.get())
    }
}

pub(super) async fn guilds(
    state: &State,
    page: Page,
    limit: Limit,
) -> Result<Found<Listing<GuildSummary>>, Problem> {
    let load = async {
        let total = sqlx::query_scalar!(r#"select count(*) as "count!" from guilds"#)
            .fetch_one(&state.database)
            .await?;
        // The page is cut from the index alone; only its own rows are then looked up.
        let items = sqlx::query_as!(
            GuildSummary,
            r#"select guild_id, guilds.name, description, leader.name as leader_name, guilds.created_at,
                      (select count(*) from guild_members where guild_members.guild_id = guilds.guild_id) as "members!"
               from guilds join characters leader on leader.character_id = leader_id
               where guilds.name_key in (select name_key from guilds order by name_key limit $1 offset $2)
               order by guilds.name_key"#,
            limit.get(),
            page.offset(limit),
        )
        .fetch_all(&state.database)
        .await?;
        page_of(items, page, limit, total)
    };
    let found = Found::cached(&state.cache, &GuildsPage(page, limit), load).await?;
    Ok(found.linked(page, limit, |page| format!("/guilds/{page}/{}", limit.get())))
}

struct OneGuild<'a>(&'a GuildName);

impl View for OneGuild<'_> {
    const TTL: Duration = TTL;

    fn key(&self) -> Key {
        guild_key(self.0)
    }
}

pub(super) async fn guild(state: &State, name: &GuildName) -> Result<Found<GuildView>, Problem> {
    Found::cached(&state.cache, &OneGuild(name), async { stored(&load_guild(state, name).await?, None) })
        .await
}

/// The same with what the caller's characters may do.
pub(super) async fn guild_for(
    state: &State,
    name: &GuildName,
    account_id: i64,
) -> Result<Found<GuildView>, Problem> {
    let load = async { stored(&load_guild(state, name).await?, None) };
    let public = state.cache.get_or_load(&OneGuild(name), load).await?;
    let mut view: GuildView = serde_json::from_slice(&public.body).map_err(|error| {
        tracing::error!(%error, "a cached guild cannot be read");
        Problem::new(StatusCode::INTERNAL_SERVER_ERROR, "internal", "This is a fault of ours.")
    })?;
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
    Found::private(&view)
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

struct FreeCharacters<'a>(Page, Limit, &'a str);

impl View for FreeCharacters<'_> {
    const TTL: Duration = TTL;

    fn key(&self) -> Key {
        free_characters_key()
    }

    fn field(&self) -> String {
        format!("{}:{}:{}", self.0.get(), self.1.get(), self.2)
    }
}

pub(super) async fn characters_without_guild(
    state: &State,
    page: Page,
    limit: Limit,
    search: Option<CharacterPrefix>,
) -> Result<Found<Listing<FreeCharacter>>, Problem> {
    let prefix = search.map(|search| search.key()).unwrap_or_default();
    let load = async {
        // What follows every name with the prefix, in the order of "C".
        let end = format!("{prefix}\u{7f}");
        let total = sqlx::query_scalar!(
            r#"select count(*) as "count!" from characters
               where name_key >= $1 and name_key < $2
                 and not exists (select from guild_members where guild_members.character_id = characters.character_id)"#,
            prefix,
            end,
        )
        .fetch_one(&state.database)
        .await?;
        let items = sqlx::query_as!(
            FreeCharacter,
            "select character_id, name, level, vocation, online from characters
             where name_key >= $1 and name_key < $2
               and not exists (select from guild_members where guild_members.character_id = characters.character_id)
             order by name_key limit $3 offset $4",
            prefix,
            end,
            limit.get(),
            page.offset(limit),
        )
        .fetch_all(&state.database)
        .await?;
        page_of(items, page, limit, total)
    };
    let found = Found::cached(&state.cache, &FreeCharacters(page, limit, &prefix), load).await?;
    let search =
        if prefix.is_empty() { String::new() } else { format!("&search={}", prefix.replace(' ', "%20")) };
    Ok(found.linked(page, limit, |page| {
        format!("/guild/players-without-guild?page={page}&limit={}{search}", limit.get())
    }))
}

pub(super) async fn invites(
    state: &State,
    account_id: i64,
    guild_id: Option<GuildId>,
    page: Page,
    limit: Limit,
) -> Result<Found<Listing<GuildInvite>>, Problem> {
    let guild_id = guild_id.map(GuildId::get);
    if let Some(guild_id) = guild_id {
        must_lead(state, account_id, guild_id).await?;
    }
    let total = sqlx::query_scalar!(
        r#"select count(*) as "count!" from guild_invites join characters using (character_id)
           where expires_at > now() and case when $1::bigint is null then account_id = $2 else guild_id = $1 end"#,
        guild_id,
        account_id,
    )
    .fetch_one(&state.database)
    .await?;
    let items = sqlx::query_as!(
        GuildInvite,
        "select guild_id, guilds.name as guild_name, invited.character_id, invited.name as character_name,
                inviter.name as invited_by, invited_at, expires_at
         from guild_invites join guilds using (guild_id)
         join characters invited on invited.character_id = guild_invites.character_id
         join characters inviter on inviter.character_id = invited_by
         where expires_at > now() and case when $1::bigint is null then invited.account_id = $2 else guild_id = $1 end
         order by invited_at, guild_id, invited.character_id limit $3 offset $4",
        guild_id,
        account_id,
        limit.get(),
        page.offset(limit),
    )
    .fetch_all(&state.database)
    .await?;
    Found::private_page(items, page, limit, total)
}

async fn must_lead(state: &State, account_id: i64, guild_id: i64) -> Result<(), Problem> {
    let leads = sqlx::query_scalar!(
        r#"select exists (select from guild_members join characters using (character_id)
                          where guild_members.guild_id = guilds.guild_id and account_id = $2 and rank = 2) as "leads!"
           from guilds where guild_id = $1"#,
        guild_id,
        account_id,
    )
    .fetch_optional(&state.database)
    .await?
    .ok_or_else(|| Problem::not_found("guild_not_found", "There is no such guild."))?;
    if leads {
        return Ok(());
    }
    let detail = "Only the leader and the vice-leaders of the guild may do this.";
    Err(Problem::new(StatusCode::FORBIDDEN, "not_leading", detail))
}

guildhall_common::examples! {
    GuildSummary {
        "guild_id": 1, "name": "Night Watch", "description": "We guard the northern wall.",
        "leader_name": "Mira Stormborn", "members": 12, "created_at": "2030-01-01T12:00:00Z"
    }
    GuildView {
        "guild_id": 1, "name": "Night Watch", "motd": "Meeting on Sunday at eight.",
        "description": "We guard the northern wall.", "created_at": "2030-01-01T12:00:00Z",
        "members": [{
            "character_id": 7, "name": "Mira Stormborn", "rank": "leader", "level": 60, "vocation": "Elder Druid",
            "online": true, "joined_at": "2030-01-01T12:00:00Z"
        }],
        "own_characters": [{ "character_id": 8, "name": "Tom Ashwood", "rank": "member", "may": ["leave"] }]
    }
    FreeCharacter { "character_id": 8, "name": "Tom Ashwood", "level": 20, "vocation": "Knight", "online": false }
    GuildInvite {
        "guild_id": 1, "guild_name": "Night Watch", "character_id": 8, "character_name": "Tom Ashwood",
        "invited_by": "Mira Stormborn", "invited_at": "2030-01-01T12:00:00Z", "expires_at": "2030-01-31T12:00:00Z"
    }
}
