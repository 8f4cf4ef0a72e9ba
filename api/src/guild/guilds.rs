//! The lists of guilds by name, by age and by members: their cache entries and SELECTs.

use std::time::Duration;

use chrono::{DateTime, Utc};
use guildhall_common::{
    contract::{
        cache_key::CacheKey,
        guild::{GuildId, LogoHash, guilds_key},
        values::{LETTERS_AND_DIGITS, Timestamp},
    },
    invalid_value::InvalidValue,
    text_types,
};
use poem_openapi::{Enum, Object};
use serde::{Deserialize, Serialize};
use sqlx::PgPool;

use crate::{
    http::{
        cursor::{NameKey, NameRange},
        list::{CachedList, List},
        list_address::ListAddress,
        paging::{PageRows, Paging},
        problem::Problem,
        read_response::{ListPage, ReadResponse},
    },
    state::State,
};

/// The lifetime of cached guilds and lists of guilds.
pub(super) const TTL: Duration = Duration::from_secs(300);

text_types! {
    /// The first characters of the name of a guild.
    GuildPrefix { 1 ..= 30, LETTERS_AND_DIGITS, "Night", trimmed }
}

/// The order of the list of guilds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, Enum)]
#[oai(rename_all = "snake_case")]
#[serde(rename_all = "snake_case")]
pub(super) enum GuildOrder {
    /// By name.
    #[default]
    Name,
    /// The newest guild first.
    Newest,
    /// The guild with the most members first, then by name.
    Members,
}

/// A guild in the list.
#[derive(Debug, Deserialize, Serialize, Object)]
#[oai(example)]
pub(super) struct GuildSummary {
    pub guild_id: GuildId,
    pub name: String,
    pub description: String,
    pub leader_name: String,
    /// Missing if the guild has no logo.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub logo: Option<LogoHash>,
    /// The number of members.
    pub members: i64,
    pub created_at: DateTime<Utc>,
}

/// A page of the guilds, or of those whose names start with a prefix. Searches are not cached: they would take the places of
/// other pages.
///
/// # Errors
/// 400 when the page or the cursor is invalid, or a search has another order than by name; 503 when the database does not respond.
pub(super) async fn page(
    State { lists, .. }: &State,
    order: GuildOrder,
    search: Option<GuildPrefix>,
    paging: Paging,
) -> Result<ReadResponse<ListPage<GuildSummary>>, Problem> {
    match (order, search) {
        (GuildOrder::Name, None) => lists.cached_page(&GuildsByName::new(None), paging).await,
        (GuildOrder::Newest, None) => lists.cached_page(&NewestGuilds, paging).await,
        (GuildOrder::Members, None) => lists.cached_page(&LargestGuilds, paging).await,
        (GuildOrder::Name, search) => lists.public_page(&GuildsByName::new(search), paging).await,
        (GuildOrder::Newest | GuildOrder::Members, Some(_)) => {
            Err(Problem::invalid("sort", InvalidValue::choice(&["name"], "must be name in a search")))
        }
    }
}

/// The guilds whose names start with a prefix, sorted by name.
pub(super) struct GuildsByName {
    names: NameRange,
}

impl GuildsByName {
    pub(super) fn new(prefix: Option<GuildPrefix>) -> Self {
        Self { names: NameRange::starting_with(prefix.map(|prefix| prefix.key())) }
    }
}

impl List for GuildsByName {
    type Item = GuildSummary;
    type Position = NameKey;

    async fn count(&self, database: &PgPool, limit: i64) -> sqlx::Result<i64> {
        sqlx::query_scalar!(
            r#"select count(*) as "count!"
               from (select from guilds where name_key >= $1 and name_key < $2 limit $3) as counted"#,
            self.names.start,
            self.names.end,
            limit,
        )
        .fetch_one(database)
        .await
    }

    async fn items(&self, database: &PgPool, rows: PageRows<NameKey>) -> sqlx::Result<Vec<GuildSummary>> {
        let page = sqlx::query_scalar!(
            r#"select guild_id as "guild_id: GuildId" from guilds
               where name_key >= $1 and name_key < $2 and ($5::text is null or name_key > $5)
               order by name_key limit $3 offset $4"#,
            self.names.start,
            self.names.end,
            rows.limit,
            rows.offset,
            rows.after.as_ref().map(NameKey::as_str),
        );
        summaries(database, &page.fetch_all(database).await?).await
    }

    fn position(guild: &GuildSummary) -> NameKey {
        NameKey::new(&guild.name)
    }

    fn address(&self) -> ListAddress {
        let search = (!self.names.start.is_empty()).then_some(&self.names.start);
        ListAddress::with_path("/guilds").filter("search", search)
    }
}

/// All guilds, the newest first.
pub(super) struct NewestGuilds;

impl List for NewestGuilds {
    type Item = GuildSummary;
    type Position = (Timestamp, GuildId);

    async fn count(&self, database: &PgPool, limit: i64) -> sqlx::Result<i64> {
        count_all(database, limit).await
    }

    async fn items(
        &self,
        database: &PgPool,
        rows: PageRows<Self::Position>,
    ) -> sqlx::Result<Vec<GuildSummary>> {
        let (created_at, guild_id) = rows.after.map(|(at, id)| (at.0, id.get())).unzip();
        let page = sqlx::query_scalar!(
            r#"select guild_id as "guild_id: GuildId" from guilds
               where $3::timestamptz is null or (created_at, guild_id) < ($3, $4)
               order by created_at desc, guild_id desc limit $1 offset $2"#,
            rows.limit,
            rows.offset,
            created_at,
            guild_id,
        );
        summaries(database, &page.fetch_all(database).await?).await
    }

    fn position(guild: &GuildSummary) -> Self::Position {
        (Timestamp(guild.created_at), guild.guild_id)
    }

    fn address(&self) -> ListAddress {
        ListAddress::with_path("/guilds").filter("sort", Some(GuildOrder::Newest))
    }
}

/// All guilds, the one with the most members first, then by name.
pub(super) struct LargestGuilds;

impl List for LargestGuilds {
    type Item = GuildSummary;
    type Position = (i64, NameKey);

    async fn count(&self, database: &PgPool, limit: i64) -> sqlx::Result<i64> {
        count_all(database, limit).await
    }

    /// The index has the negative number, so that both sort keys ascend and one comparison finds the place of a cursor.
    async fn items(
        &self,
        database: &PgPool,
        rows: PageRows<Self::Position>,
    ) -> sqlx::Result<Vec<GuildSummary>> {
        let (members, name_key) =
            rows.after.as_ref().map(|(members, name)| (*members, name.as_str())).unzip();
        let page = sqlx::query_scalar!(
            r#"select guild_id as "guild_id: GuildId" from guilds
               where $3::bigint is null or (-kept_members, name_key) > (-$3::bigint, $4)
               order by -kept_members, name_key limit $1 offset $2"#,
            rows.limit,
            rows.offset,
            members,
            name_key,
        );
        summaries(database, &page.fetch_all(database).await?).await
    }

    fn position(guild: &GuildSummary) -> Self::Position {
        (guild.members, NameKey::new(&guild.name))
    }

    fn address(&self) -> ListAddress {
        ListAddress::with_path("/guilds").filter("sort", Some(GuildOrder::Members))
    }
}

async fn count_all(database: &PgPool, limit: i64) -> sqlx::Result<i64> {
    sqlx::query_scalar!(r#"select count(*) as "count!" from (select from guilds limit $1) as counted"#, limit)
        .fetch_one(database)
        .await
}

/// The guilds of a page, in its order.
async fn summaries(database: &PgPool, page: &[GuildId]) -> sqlx::Result<Vec<GuildSummary>> {
    sqlx::query_as!(
        GuildSummary,
        r#"select guilds.guild_id as "guild_id!: GuildId", guilds.name, description, leader.name as leader_name,
                  kept_members as members, guilds.created_at,
                  (select hash from logos where logos.logo_id = guilds.logo_id and blocked_at is null)
                      as "logo: LogoHash"
           from unnest($1::bigint[]) with ordinality as page (guild_id, place)
           join guilds using (guild_id) join characters leader on leader.character_id = leader_id
           order by place"#,
        page as _,
    )
    .fetch_all(database)
    .await
}

macro_rules! cached_lists {
    ($($list:ty)+) => {$(
        impl CachedList for $list {
            const TTL: Duration = TTL;

            fn key(&self) -> CacheKey {
                guilds_key()
            }
        }
    )+};
}

cached_lists! { GuildsByName NewestGuilds LargestGuilds }

guildhall_common::examples! {
    GuildSummary {
        "guild_id": 1, "name": "Night Watch", "description": "We guard the northern wall.",
        "leader_name": "Mira Stormborn",
        "logo": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08", "members": 12, "created_at": "2030-01-01T12:00:00Z"
    }
}
