//! The states of all accounts, characters, guilds and memberships.

use sqlx::{PgPool, types::Json};

use crate::{
    game::states::GameState,
    http::{list::List, list_address::ListAddress, paging::PageRows},
};

/// Accounts, then characters, then guilds, then memberships: each state refers to earlier ones only.
pub(super) struct Snapshot;

/// The ids after which the accounts, characters, guilds and memberships of a page begin.
type Bounds = [i64; 4];

/// Ids are positive.
const FIRST: i64 = 0;

const NONE: i64 = i64::MAX;

impl List for Snapshot {
    type Item = GameState;
    type Position = Bounds;

    async fn count(&self, database: &PgPool, limit: i64) -> sqlx::Result<i64> {
        sqlx::query_scalar!(
            r#"select count(*) as "count!" from (
                   (select from accounts limit $1) union all (select from characters limit $1)
                   union all (select from guilds limit $1) union all (select from guild_members limit $1)
                   limit $1) as counted"#,
            limit,
        )
        .fetch_one(database)
        .await
    }

    async fn items(&self, database: &PgPool, rows: PageRows<Bounds>) -> sqlx::Result<Vec<GameState>> {
        let [account, character, guild, membership] = rows.after.unwrap_or([FIRST; 4]);
        let states = sqlx::query_scalar!(
            r#"select state as "state!: Json<GameState>" from (
                   (select 1 as subject, account_id as id, account_state(accounts) as state
                    from accounts where account_id > $1 order by account_id limit $5)
                   union all
                   (select 2, character_id, character_state(characters, deleted_at is not null)
                    from characters where character_id > $2 order by character_id limit $5)
                   union all
                   (select 3, guild_id, guild_state(guilds, false)
                    from guilds where guild_id > $3 order by guild_id limit $5)
                   union all
                   (select 4, character_id, membership_state(guild_members)
                    from guild_members where character_id > $4 order by character_id limit $5)
               ) as states order by subject, id limit $6 offset $7"#,
            account,
            character,
            guild,
            membership,
            rows.end(),
            rows.limit,
            rows.offset,
        )
        .fetch_all(database)
        .await?;
        Ok(states.into_iter().map(|Json(state)| state).collect())
    }

    fn position(state: &GameState) -> Bounds {
        match state {
            GameState { account: Some(account), .. } => [account.account_id.get(), FIRST, FIRST, FIRST],
            GameState { character: Some(character), .. } => {
                [NONE, character.character_id.get(), FIRST, FIRST]
            }
            GameState { guild: Some(guild), .. } => [NONE, NONE, guild.guild_id.get(), FIRST],
            GameState { membership, .. } => {
                [NONE, NONE, NONE, membership.as_ref().map_or(NONE, |member| member.character_id.get())]
            }
        }
    }

    fn address(&self) -> ListAddress {
        ListAddress::with_query("/game/snapshot")
    }
}
