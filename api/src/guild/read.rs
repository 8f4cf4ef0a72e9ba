//! Lists of guilds and of characters without one: their TTL, their SELECTs.

use std::time::Duration;

use chrono::{DateTime, Utc};
use guildhall_common::{
    contract::{
        cache_key::CacheKey,
        guild::{free_characters_key, guilds_key},
        values::{Limit, Page},
    },
    platform::cache::Cacheable,
    text_types,
};
use poem_openapi::Object;
use serde::{Deserialize, Serialize};

use crate::{
    http::{
        problem::Problem,
        read_response::{ListPage, ReadResponse, page_body},
    },
    state::State,
};

pub(super) const TTL: Duration = Duration::from_secs(300);

text_types! {
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

struct GuildsPage(Page, Limit);

impl Cacheable for GuildsPage {
    const TTL: Duration = TTL;

    fn key(&self) -> CacheKey {
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
) -> Result<ReadResponse<ListPage<GuildSummary>>, Problem> {
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
        page_body(items, page, limit, total)
    };
    let found = ReadResponse::cached(&state.cache, &GuildsPage(page, limit), load).await?;
    Ok(found.linked(page, limit, |page| format!("/guilds/{page}/{}", limit.get())))
}

struct FreeCharacters<'a>(Page, Limit, &'a str);

impl Cacheable for FreeCharacters<'_> {
    const TTL: Duration = TTL;

    fn key(&self) -> CacheKey {
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
) -> Result<ReadResponse<ListPage<FreeCharacter>>, Problem> {
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
        page_body(items, page, limit, total)
    };
    let found = ReadResponse::cached(&state.cache, &FreeCharacters(page, limit, &prefix), load).await?;
    let search =
        if prefix.is_empty() { String::new() } else { format!("&search={}", prefix.replace(' ', "%20")) };
    Ok(found.linked(page, limit, |page| {
        format!("/guild/players-without-guild?page={page}&limit={}{search}", limit.get())
    }))
}

guildhall_common::examples! {
    GuildSummary {
        "guild_id": 1, "name": "Night Watch", "description": "We guard the northern wall.",
        "leader_name": "Mira Stormborn", "members": 12, "created_at": "2030-01-01T12:00:00Z"
    }
    FreeCharacter { "character_id": 8, "name": "Tom Ashwood", "level": 20, "vocation": "Knight", "online": false }
}
