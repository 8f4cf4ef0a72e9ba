//! Views of the caller's account and their SELECTs. They are private, so they are not cached.

use chrono::{DateTime, Utc};
use guildhall_common::contract::{
    account::{AccountId, Language, Role},
    character::CharacterId,
};
use poem_openapi::Object;
use serde::{Deserialize, Serialize};
use sqlx::PgPool;

use crate::{
    auth::{Caller, unauthorized},
    http::{
        cursor::NameKey, list::List, list_address::ListAddress, paging::PageRows, problem::Problem,
        read_response::ReadResponse,
    },
    state::State,
};

/// The account of the caller.
#[derive(Debug, Deserialize, Serialize, Object)]
#[oai(example)]
pub(super) struct Account {
    pub account_id: AccountId,
    pub name: String,
    pub email: String,
    /// Whether the owner has proved that the address is theirs.
    pub email_verified: bool,
    /// Whether a log-in needs a code besides the password.
    pub second_factor: bool,
    /// When the account will be deleted. Missing if its owner has not asked for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deletion_due_at: Option<DateTime<Utc>>,
    /// The language of mails.
    pub language: Language,
    pub roles: Vec<Role>,
    /// The balance. It is negative after a refund of coins that were already spent.
    pub coins: i64,
    pub created_at: DateTime<Utc>,
}

/// A character of the caller.
#[derive(Debug, Deserialize, Serialize, Object)]
#[oai(example)]
pub(super) struct Character {
    pub character_id: CharacterId,
    pub name: String,
    pub level: i32,
    pub vocation: String,
    pub online: bool,
    /// Whether the game has named the account as the owner of the character.
    pub confirmed: bool,
    /// Its name before the game gave the name to the character of another account. Missing if that did not happen, and after
    /// its player has renamed it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub former_name: Option<String>,
    /// Missing if the character is in no guild.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub guild_name: Option<String>,
    pub created_at: DateTime<Utc>,
    /// When the character is deleted. Missing if its deletion was not requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deletion_due_at: Option<DateTime<Utc>>,
}

pub(super) async fn account(state: &State, caller: &Caller) -> Result<ReadResponse<Account>, Problem> {
    let row = sqlx::query!(
        r#"select account_id as "account_id: AccountId", name, email, email_verified_at is not null as "email_verified!",
                  second_factor is not null as "second_factor!", deletion_due_at,
                  language as "language: Language", created_at, coalesce(balance, 0) as "coins!"
           from accounts left join coin_accounts using (account_id) where account_id = $1"#,
        caller.account_id()?.get(),
    )
    .fetch_optional(&state.database)
    .await?
    .ok_or_else(unauthorized)?;
    ReadResponse::private(&Account {
        account_id: row.account_id,
        name: row.name,
        email: row.email,
        email_verified: row.email_verified,
        second_factor: row.second_factor,
        deletion_due_at: row.deletion_due_at,
        language: row.language,
        roles: caller.roles.clone(),
        coins: row.coins,
        created_at: row.created_at,
    })
}

/// The characters of an account.
pub(super) struct CharacterList {
    pub account_id: AccountId,
}

impl List for CharacterList {
    type Item = Character;
    type Position = NameKey;

    async fn count(&self, database: &PgPool, limit: i64) -> sqlx::Result<i64> {
        sqlx::query_scalar!(
            r#"select count(*) as "count!" from (select from characters where account_id = $1 and deleted_at is null limit $2) as counted"#,
            self.account_id.get(),
            limit,
        )
        .fetch_one(database)
        .await
    }

    async fn items(&self, database: &PgPool, rows: PageRows<NameKey>) -> sqlx::Result<Vec<Character>> {
        sqlx::query_as!(
            Character,
            r#"select character_id as "character_id: CharacterId", characters.name, level, vocation, online,
                      confirmed_at is not null as "confirmed!", former_name, guilds.name as "guild_name?", characters.created_at,
                      deletion_due_at
               from characters left join guild_members using (character_id)
               left join guilds on guilds.guild_id = guild_members.guild_id
               where account_id = $1 and deleted_at is null and ($4::text is null or characters.name_key > $4)
               order by characters.name_key limit $2 offset $3"#,
            self.account_id.get(),
            rows.limit,
            rows.offset,
            rows.after.as_ref().map(NameKey::as_str),
        )
        .fetch_all(database)
        .await
    }

    fn position(character: &Character) -> NameKey {
        NameKey::new(&character.name)
    }

    fn address(&self) -> ListAddress {
        ListAddress::with_query("/accounts/characters")
    }
}

guildhall_common::examples! {
    Account {
        "account_id": 3, "name": "mira", "email": "mira@example.org", "email_verified": true, "second_factor": false,
        "language": "en", "roles": ["player"], "coins": 250, "created_at": "2030-01-01T12:00:00Z"
    }
    Character {
        "character_id": 7, "name": "Mira Stormborn", "level": 60, "vocation": "Elder Druid", "online": true,
        "confirmed": true, "guild_name": "Night Watch", "created_at": "2030-01-01T12:00:00Z"
    }
}
