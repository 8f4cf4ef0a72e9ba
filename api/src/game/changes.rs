//! The changes that games must know, in their order. A request waits until there are some.

use chrono::{DateTime, TimeDelta, Utc};
use guildhall_common::{
    contract::{
        account::ServiceTokenId,
        command::Actor,
        game::{ChangeId, FollowChanges, LeaseWait},
    },
    number_types,
};
use poem_openapi::Object;
use serde::{Deserialize, Serialize};
use sqlx::types::Json;

use crate::{
    game::{long_poll::LongPoll, states::GameState},
    http::{api_refusal::ApiRefusal, command_request::CommandRequest, problem::Problem},
    state::State,
};

/// The interval at which the site records how far a game server has read.
const RECORD_INTERVAL: TimeDelta = TimeDelta::seconds(15);

number_types! {
    /// The maximum number of changes in a response.
    ChangeLimit(i64, "int64") { 1 ..= 1000, 100 }
}

/// Changes in their order.
#[derive(Debug, Serialize, Deserialize, Object)]
#[oai(example)]
pub(crate) struct GameChanges {
    pub items: Vec<GameChange>,
    /// The last change that the game server knows now. Store it together with the effects of these changes, and send it as `after`.
    pub last: ChangeId,
}

/// A change, with the state after it.
#[derive(Debug, Serialize, Deserialize, Object)]
pub(crate) struct GameChange {
    pub change_id: ChangeId,
    pub changed_at: DateTime<Utc>,
    pub state: GameState,
}

/// The place after the newest change.
///
/// # Errors
/// 503 when the database does not respond.
pub(super) async fn newest(state: &State) -> Result<GameChanges, Problem> {
    let last = sqlx::query_scalar!(
        r#"select change_id as "change_id: ChangeId" from game_changes where number is not null order by number desc limit 1"#
    );
    Ok(GameChanges { items: vec![], last: last.fetch_one(&state.database).await? })
}

/// The changes after one. If there are none, it waits for them.
///
/// # Errors
/// 404 if the site does not have the change; 503 when the database does not respond.
pub(super) async fn after(
    state: &State,
    request: &CommandRequest,
    actor: Actor,
    after: ChangeId,
    limit: ChangeLimit,
    wait: LeaseWait,
) -> Result<GameChanges, Problem> {
    let mut poll = LongPoll::start(state, wait);
    let place = sqlx::query_scalar!(
        r#"select number as "number!" from game_changes where change_id = $1 and number is not null"#,
        after.get(),
    );
    let place = place.fetch_optional(&state.database).await?.ok_or(ApiRefusal::ChangeNotFound)?;
    record_place(state, request, actor, after).await?;
    loop {
        let items = read(state, actor, place, limit).await?;
        if let Some(newest) = items.last() {
            return Ok(GameChanges { last: newest.change_id, items });
        }
        if !poll.wait_for_check("game.changed").await {
            return Ok(GameChanges { items, last: after });
        }
    }
}

/// Records how far the game server has read, for the staff. The next request tries again if this one fails.
async fn record_place(
    state: &State,
    request: &CommandRequest,
    actor: Actor,
    change_id: ChangeId,
) -> Result<(), Problem> {
    let Some(service_token_id) = actor.service_token_id() else { return Ok(()) };
    let is_recorded = sqlx::query_scalar!(
        r#"select exists (
               select from game_servers where service_token_id = $1 and changes_read_at > now() - $2::interval
           ) as "is_recorded!""#,
        service_token_id.get(),
        RECORD_INTERVAL as _,
    );
    if !is_recorded.fetch_one(&state.database).await? {
        let _ = state.commands.enqueue(request, actor, FollowChanges { change_id }).await;
    }
    Ok(())
}

/// The next changes. None if the token of the game server was revoked while it waited.
async fn read(state: &State, actor: Actor, place: i64, limit: ChangeLimit) -> sqlx::Result<Vec<GameChange>> {
    let service_token_id = actor.service_token_id().map(ServiceTokenId::get);
    let changes = sqlx::query!(
        r#"select change_id as "change_id: ChangeId", changed_at, state as "state!: Json<GameState>"
           from game_changes where number > $1 and state is not null
               and exists (select from service_tokens where service_token_id = $2 and revoked_at is null)
           order by number limit $3"#,
        place,
        service_token_id,
        limit.get(),
    )
    .fetch_all(&state.database)
    .await?;
    let changes = changes.into_iter().map(|row| GameChange {
        change_id: row.change_id,
        changed_at: row.changed_at,
        state: row.state.0,
    });
    Ok(changes.collect())
}

guildhall_common::examples! {
    GameChanges {
        "items": [{
            "change_id": "5d1f7a52-4a0e-4c8b-9f53-0c8e2b1a7d64", "changed_at": "2030-01-31T12:00:00Z",
            "state": { "membership": {
                "character_id": 7, "guild_id": 12, "rank": "vice_leader", "nick": "The Brave", "joined_at": "2030-01-31T12:00:00Z"
            } }
        }],
        "last": "5d1f7a52-4a0e-4c8b-9f53-0c8e2b1a7d64"
    }
}
