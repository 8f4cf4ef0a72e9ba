//! The lists of guilds and of characters without a guild: their cache entries and SELECTs.

use std::time::Duration;

use chrono::{DateTime, Utc};
use guildhall_common::{
    contract::{
        cache_key::CacheKey,
        character::CharacterId,
        guild::{GuildId, guilds_key},
    },
    text_types,
};
use poem_openapi::Object;
use serde::{Deserialize, Serialize};
use sqlx::PgPool;

use crate::http::{
    cursor::NameKey,
    list::{CachedList, List},
    list_address::ListAddress,
    paging::PageRows,
};

pub(super) const TTL: Duration = Duration::from_secs(300);

text_types! {
    /// The first characters of the name of a character.
    CharacterPrefix { 1 ..= 29, r"^[A-Za-z]+([ '-][A-Za-z]+)*$", "Mi" }
}

/// A guild in the list.
#[derive(Debug, Deserialize, Serialize, Object)]
#[oai(example)]
pub(super) struct GuildSummary {
    pub guild_id: GuildId,
    pub name: String,
    pub description: String,
    pub leader_name: String,
    /// The number of members.
    pub members: i64,
    pub created_at: DateTime<Utc>,
}

/// A character without a guild.
#[derive(Debug, Deserialize, Serialize, Object)]
#[oai(example)]
pub(super) struct CharacterWithoutGuild {
    pub character_id: CharacterId,
    pub name: String,
    pub level: i32,
    pub vocation: String,
    pub online: bool,
}

/// All guilds, sorted by name.
pub(super) struct GuildList;

impl List for GuildList {
    type Item = GuildSummary;
    type Position = NameKey;

    async fn count(&self, database: &PgPool, limit: i64) -> sqlx::Result<i64> {
        sqlx::query_scalar!(
            r#"select count(*) as "count!" from (select from guilds limit $1) as counted"#,
            limit
        )
        .fetch_one(database)
        .await
    }

    /// The subquery reads only the index. The other columns are read for the rows of the page alone.
    async fn items(&self, database: &PgPool, rows: PageRows<NameKey>) -> sqlx::Result<Vec<GuildSummary>> {
        sqlx::query_as!(
            GuildSummary,
            r#"select guild_id as "guild_id: GuildId", guilds.name, description, leader.name as leader_name,
                      guilds.created_at,
                      (select count(*) from guild_members where guild_members.guild_id = guilds.guild_id) as "members!"
               from guilds join characters leader on leader.character_id = leader_id
               where guilds.name_key in (select name_key from guilds where $3::text is null or name_key > $3
                                         order by name_key limit $1 offset $2)
               order by guilds.name_key"#,
            rows.limit,
            rows.offset,
            rows.after.as_ref().map(NameKey::as_str),
        )
        .fetch_all(database)
        .await
    }

    fn position(guild: &GuildSummary) -> NameKey {
        NameKey::new(&guild.name)
    }

    fn address(&self) -> ListAddress {
        ListAddress::with_path("/guilds")
    }
}

impl CachedList for GuildList {
    const TTL: Duration = TTL;

    fn key(&self) -> CacheKey {
        guilds_key()
    }
}

/// The characters without a guild that will not be deleted, and whose names start with a prefix, sorted by name. They are not cached: each report of a game
/// server may change them, and a page is read from one index.
pub(super) struct CharacterWithoutGuildList {
    /// In lower case. Empty selects all.
    prefix: String,
    /// In the collation "C", it follows every name with the prefix.
    end: String,
}

impl CharacterWithoutGuildList {
    pub(super) fn new(prefix: Option<CharacterPrefix>) -> Self {
        let prefix = prefix.map(|prefix| prefix.key()).unwrap_or_default();
        Self { end: format!("{prefix}\u{7f}"), prefix }
    }
}

impl List for CharacterWithoutGuildList {
    type Item = CharacterWithoutGuild;
    type Position = NameKey;

    async fn count(&self, database: &PgPool, limit: i64) -> sqlx::Result<i64> {
        sqlx::query_scalar!(
            r#"select count(*) as "count!"
               from (select from characters
                     where kept_guild_id is null and deletion_due_at is null and name_key >= $1 and name_key < $2
                     limit $3) as counted"#,
            self.prefix,
            self.end,
            limit,
        )
        .fetch_one(database)
        .await
    }

    async fn items(
        &self,
        database: &PgPool,
        rows: PageRows<NameKey>,
    ) -> sqlx::Result<Vec<CharacterWithoutGuild>> {
        sqlx::query_as!(
            CharacterWithoutGuild,
            r#"select character_id as "character_id: CharacterId", name, level, vocation, online from characters
               where kept_guild_id is null and deletion_due_at is null and name_key >= $1 and name_key < $2
                 and ($5::text is null or name_key > $5)
               order by name_key limit $3 offset $4"#,
            self.prefix,
            self.end,
            rows.limit,
            rows.offset,
            rows.after.as_ref().map(NameKey::as_str),
        )
        .fetch_all(database)
        .await
    }

    fn position(character: &CharacterWithoutGuild) -> NameKey {
        NameKey::new(&character.name)
    }

    fn address(&self) -> ListAddress {
        let search = (!self.prefix.is_empty()).then_some(&self.prefix);
        ListAddress::with_query("/guild/players-without-guild").filter("search", search)
    }
}

guildhall_common::examples! {
    GuildSummary {
        "guild_id": 1, "name": "Night Watch", "description": "We guard the northern wall.",
        "leader_name": "Mira Stormborn", "members": 12, "created_at": "2030-01-01T12:00:00Z"
    }
    CharacterWithoutGuild { "character_id": 8, "name": "Tom Ashwood", "level": 20, "vocation": "Knight", "online": false }
}
