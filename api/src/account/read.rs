//! Views of the own account, and their SELECTs. For their owner alone, so not cached.

use chrono::{DateTime, Utc};
use guildhall_common::contract::{
    account::Role,
    values::{Limit, Page},
};
use poem_openapi::Object;
use serde::{Deserialize, Serialize};

use crate::{
    auth::{Caller, unauthorized},
    http::{
        problem::Problem,
        read_response::{ListPage, ReadResponse},
    },
    state::State,
};

/// The caller's account.
#[derive(Debug, Deserialize, Serialize, Object)]
#[oai(example)]
pub(super) struct Account {
    pub account_id: i64,
    pub name: String,
    pub email: String,
    pub roles: Vec<Role>,
    /// Below zero: owed, after a refund of coins that were spent.
    pub coins: i64,
    pub created_at: DateTime<Utc>,
}

/// A character of the caller's.
#[derive(Debug, Deserialize, Serialize, Object)]
#[oai(example)]
pub(super) struct Character {
    pub character_id: i64,
    pub name: String,
    pub level: i32,
    pub vocation: String,
    pub online: bool,
    /// Missing for a character without a guild.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub guild_name: Option<String>,
    pub created_at: DateTime<Utc>,
}

pub(super) async fn account(state: &State, caller: &Caller) -> Result<ReadResponse<Account>, Problem> {
    let row = sqlx::query!(
        r#"select account_id, name, email, created_at, coalesce(balance, 0) as "coins!"
           from accounts left join coin_accounts using (account_id) where account_id = $1"#,
        caller.account_id(),
    )
    .fetch_optional(&state.database)
    .await?
    .ok_or_else(unauthorized)?;
    ReadResponse::private(&Account {
        account_id: row.account_id,
        name: row.name,
        email: row.email,
        roles: caller.roles.clone(),
        coins: row.coins,
        created_at: row.created_at,
    })
}

pub(super) async fn characters(
    state: &State,
    account_id: i64,
    page: Page,
    limit: Limit,
) -> Result<ReadResponse<ListPage<Character>>, Problem> {
    let total = sqlx::query_scalar!(
        r#"select count(*) as "count!" from characters where account_id = $1"#,
        account_id
    )
    .fetch_one(&state.database)
    .await?;
    let items = sqlx::query_as!(
        Character,
        r#"select character_id, characters.name, level, vocation, online, guilds.name as "guild_name?",
                  characters.created_at
           from characters left join guild_members using (character_id) left join guilds using (guild_id)
           where account_id = $1 order by characters.name_key limit $2 offset $3"#,
        account_id,
        limit.get(),
        page.offset(limit),
    )
    .fetch_all(&state.database)
    .await?;
    let found = ReadResponse::private_page(items, page, limit, total)?;
    Ok(found.linked(page, limit, |page| format!("/accounts/characters?page={page}&limit={}", limit.get())))
}

guildhall_common::examples! {
    Account {
        "account_id": 3, "name": "mira", "email": "mira@example.org", "roles": ["player"],
        "coins": 250, "created_at": "2030-01-01T12:00:00Z"
    }
    Character {
        "character_id": 7, "name": "Mira Stormborn", "level": 60, "vocation": "Elder Druid", "online": true,
        "guild_name": "Night Watch", "created_at": "2030-01-01T12:00:00Z"
    }
}
