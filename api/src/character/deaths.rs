//! The deaths of characters. They are not cached, as the other lists of characters: a game server reports them often, and a page
//! is read from one index.

use chrono::{DateTime, Utc};
use guildhall_common::contract::{
    character::{CharacterId, CharacterName},
    game::DeathId,
    values::Timestamp,
};
use poem_openapi::Object;
use serde::{Deserialize, Serialize};
use sqlx::PgPool;

use crate::http::{list::List, list_address::ListAddress, paging::PageRows};

/// The death of a character.
#[derive(Debug, Deserialize, Serialize, Object)]
#[oai(example)]
pub(super) struct CharacterDeath {
    pub character_id: CharacterId,
    pub character_name: String,
    /// The id in the game. No two deaths of a character have the same one.
    pub death_id: DeathId,
    pub died_at: DateTime<Utc>,
    /// The level of the character when it died.
    pub level: i32,
    /// A creature of the game, or the current name of the character that killed it. Missing if a player killed it whose character the site
    /// does not know, or no longer has.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub killed_by: Option<String>,
    pub killer_is_player: bool,
}

/// The deaths of one character or all, the newest first.
pub(super) struct Deaths {
    character: Option<CharacterName>,
    character_key: Option<String>,
}

impl Deaths {
    pub(super) fn new(character: Option<CharacterName>) -> Self {
        Self { character_key: character.as_ref().map(CharacterName::key), character }
    }
}

impl List for Deaths {
    type Item = CharacterDeath;
    type Position = (Timestamp, CharacterId, DeathId);

    async fn count(&self, database: &PgPool, limit: i64) -> sqlx::Result<i64> {
        sqlx::query_scalar!(
            r#"select count(*) as "count!"
               from (select from deaths
                     where ($1::text is null or character_id = (select character_id from characters where name_key = $1))
                     limit $2) as counted"#,
            self.character_key,
            limit,
        )
        .fetch_one(database)
        .await
    }

    async fn items(
        &self,
        database: &PgPool,
        rows: PageRows<(Timestamp, CharacterId, DeathId)>,
    ) -> sqlx::Result<Vec<CharacterDeath>> {
        let (died_at, character_id, death_id) = match &rows.after {
            Some((died_at, character_id, death_id)) => {
                (Some(died_at.0), Some(*character_id), Some(&**death_id))
            }
            None => (None, None, None),
        };
        sqlx::query_as!(
            CharacterDeath,
            r#"select deaths.character_id as "character_id: CharacterId", victims.name as character_name, death_id as "death_id: DeathId", died_at,
                      deaths.level, coalesce(killed_by, killers.name) as killed_by, killer_is_player
               from (select * from deaths
                     where ($1::text is null or character_id = (select character_id from characters where name_key = $1))
                       and ($4::timestamptz is null or (died_at, character_id, death_id) < ($4, $5::bigint, $6::text))
                     order by died_at desc, character_id desc, death_id desc limit $2 offset $3) as deaths
               join characters as victims on victims.character_id = deaths.character_id
               left join characters as killers on killers.character_id = killer_id
               order by died_at desc, deaths.character_id desc, death_id desc"#,
            self.character_key,
            rows.limit,
            rows.offset,
            died_at,
            character_id as Option<CharacterId>,
            death_id,
        )
        .fetch_all(database)
        .await
    }

    fn position(death: &CharacterDeath) -> (Timestamp, CharacterId, DeathId) {
        (Timestamp(death.died_at), death.character_id, death.death_id.clone())
    }

    fn address(&self) -> ListAddress {
        ListAddress::with_path("/characters/deaths").filter("character", self.character.as_ref())
    }
}

guildhall_common::examples! {
    CharacterDeath {
        "character_id": 7, "character_name": "Mira Stormborn", "death_id": "world-1:5021", "died_at": "2030-01-31T12:00:00Z",
        "level": 60, "killed_by": "a dragon lord", "killer_is_player": false
    }
}
