//! The list of characters without a guild.

use guildhall_common::{
    contract::character::{CHARACTER_NAME, CharacterId},
    text_types,
};
use poem_openapi::Object;
use serde::{Deserialize, Serialize};
use sqlx::PgPool;

use crate::http::{
    cursor::{NameKey, NameRange},
    list::List,
    list_address::ListAddress,
    paging::PageRows,
};

text_types! {
    /// The first characters of the name of a character.
    CharacterPrefix { 1 ..= 29, CHARACTER_NAME, "Mi", trimmed }
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

/// The characters without a guild that will not be deleted, and whose names start with a prefix, sorted by name. They are not cached: each report of a game
/// server may change them, and a page is read from one index.
pub(super) struct CharacterWithoutGuildList {
    names: NameRange,
}

impl CharacterWithoutGuildList {
    pub(super) fn new(prefix: Option<CharacterPrefix>) -> Self {
        Self { names: NameRange::starting_with(prefix.map(|prefix| prefix.key())) }
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
            self.names.start,
            self.names.end,
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
            self.names.start,
            self.names.end,
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
        let search = (!self.names.start.is_empty()).then_some(&self.names.start);
        ListAddress::with_query("/guild/players-without-guild").filter("search", search)
    }
}

guildhall_common::examples! {
    CharacterWithoutGuild { "character_id": 8, "name": "Tom Ashwood", "level": 20, "vocation": "Knight", "online": false }
}
