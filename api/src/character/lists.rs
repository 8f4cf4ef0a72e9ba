//! The lists of characters by level, and of those that are online. They are not cached: each report of a game server may change
//! them, and a page is read from one index.

use guildhall_common::contract::character::{CharacterId, GameVocation};
use poem_openapi::Object;
use serde::{Deserialize, Serialize};
use sqlx::PgPool;

use crate::http::{cursor::NameKey, list::List, list_address::ListAddress, paging::PageRows};

/// A character in a list.
#[derive(Debug, Deserialize, Serialize, Object)]
#[oai(example)]
pub(super) struct CharacterSummary {
    pub character_id: CharacterId,
    pub name: String,
    pub level: i32,
    pub vocation: String,
    pub online: bool,
    /// Missing if the character is in no guild.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub guild_name: Option<String>,
}

/// The characters with a vocation or all, the highest level first, then by name.
pub(super) struct Highscores {
    pub vocation: Option<GameVocation>,
}

impl List for Highscores {
    type Item = CharacterSummary;
    type Position = (i32, NameKey);

    async fn count(&self, database: &PgPool, limit: i64) -> sqlx::Result<i64> {
        sqlx::query_scalar!(
            r#"select count(*) as "count!"
               from (select from characters
                     where deleted_at is null and ($1::text is null or lower(vocation) = lower($1)) limit $2) as counted"#,
            self.vocation.as_deref(),
            limit,
        )
        .fetch_one(database)
        .await
    }

    /// The indexes have the negative level, so that both sort keys ascend and one comparison finds the place of a cursor.
    async fn items(
        &self,
        database: &PgPool,
        rows: PageRows<(i32, NameKey)>,
    ) -> sqlx::Result<Vec<CharacterSummary>> {
        let (level, name_key) = rows.after.as_ref().map(|(level, name)| (*level, name.as_str())).unzip();
        sqlx::query_as!(
            CharacterSummary,
            r#"select character_id as "character_id: CharacterId", characters.name, level, vocation, online,
                      guilds.name as "guild_name?"
               from (select * from characters
                     where deleted_at is null and ($1::text is null or lower(vocation) = lower($1))
                       and ($4::int is null or (-level, name_key) > (-$4::int, $5))
                     order by -level, name_key limit $2 offset $3) as characters
               left join guilds on guild_id = kept_guild_id
               order by -level, characters.name_key"#,
            self.vocation.as_deref(),
            rows.limit,
            rows.offset,
            level,
            name_key,
        )
        .fetch_all(database)
        .await
    }

    fn position(character: &CharacterSummary) -> (i32, NameKey) {
        (character.level, NameKey::new(&character.name))
    }

    fn address(&self) -> ListAddress {
        ListAddress::with_path("/characters/highscores").filter("vocation", self.vocation.as_ref())
    }
}

/// The characters that are online, sorted by name.
pub(super) struct OnlineCharacters;

impl List for OnlineCharacters {
    type Item = CharacterSummary;
    type Position = NameKey;

    async fn count(&self, database: &PgPool, limit: i64) -> sqlx::Result<i64> {
        sqlx::query_scalar!(
            r#"select count(*) as "count!" from (select from characters where online limit $1) as counted"#,
            limit,
        )
        .fetch_one(database)
        .await
    }

    async fn items(&self, database: &PgPool, rows: PageRows<NameKey>) -> sqlx::Result<Vec<CharacterSummary>> {
        sqlx::query_as!(
            CharacterSummary,
            r#"select character_id as "character_id: CharacterId", characters.name, level, vocation, online,
                      guilds.name as "guild_name?"
               from (select * from characters where online and ($3::text is null or name_key > $3)
                     order by name_key limit $1 offset $2) as characters
               left join guilds on guild_id = kept_guild_id
               order by characters.name_key"#,
            rows.limit,
            rows.offset,
            rows.after.as_ref().map(NameKey::as_str),
        )
        .fetch_all(database)
        .await
    }

    fn position(character: &CharacterSummary) -> NameKey {
        NameKey::new(&character.name)
    }

    fn address(&self) -> ListAddress {
        ListAddress::with_path("/characters/online")
    }
}

guildhall_common::examples! {
    CharacterSummary {
        "character_id": 7, "name": "Mira Stormborn", "level": 60, "vocation": "Elder Druid", "online": true,
        "guild_name": "Night Watch"
    }
}
