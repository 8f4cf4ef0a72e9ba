//! The changes that games must know: their numbers, their purge, and how far each game server has read them.
//!
//! The triggers of `migrations/0020_game_changes.sql` record the changes.

use chrono::TimeDelta;
use guildhall_common::contract::{
    command::Failure,
    game::{ChangesFollowed, FollowChanges},
};
use serde::{Deserialize, Serialize};
use serde_json::json;
use sqlx::postgres::PgTransaction;

use crate::{
    app::App,
    engine::{
        context::Context,
        jobs::{Job, MAX_PURGED, NextRun},
        outbox,
        relay::Relay,
        rule::Rule,
    },
};

/// The maximum number of changes in one transaction.
const BATCH_SIZE: i64 = 1000;

/// Numbers the visible changes.
///
/// A transaction that is not visible yet gets higher numbers later, although it may have recorded its changes earlier.
pub(crate) struct ChangeNumbers;

impl Relay for ChangeNumbers {
    const NAME: &'static str = "game_changes";

    async fn relay_batch(_: &App, mut transaction: PgTransaction<'static>) -> anyhow::Result<bool> {
        let numbered = sqlx::query!(
            "with next as (
                 select change_id, row_number() over (order by recorded) as position
                 from game_changes where number is null order by recorded limit $1
             )
             update game_changes set number = (select max(number) from game_changes) + position
             from next where game_changes.change_id = next.change_id",
            BATCH_SIZE,
        )
        .execute(&mut *transaction)
        .await?
        .rows_affected();
        if numbered == 0 {
            return Ok(false);
        }
        erase_deleted(&mut transaction, numbered).await?;
        outbox::put(&mut transaction, "game.changed", &json!({})).await?;
        transaction.commit().await?;
        Ok(numbered == BATCH_SIZE as u64)
    }
}

/// Erases the earlier states of accounts, characters and guilds that the last changes delete. They have names and nicks.
async fn erase_deleted(transaction: &mut PgTransaction<'static>, numbered: u64) -> sqlx::Result<()> {
    sqlx::query!(
        "with deleted as (
             select number, subject, subject_id from game_changes
             where number > (select max(number) from game_changes) - $1
               and subject in ('account', 'character', 'guild') and (state -> subject -> 'deleted')::boolean
         )
         update game_changes as earlier set state = null from deleted
         where earlier.state is not null and earlier.number < deleted.number
           and earlier.subject_id = deleted.subject_id
           and (earlier.subject = deleted.subject or (earlier.subject = 'membership' and deleted.subject = 'character'))",
        numbered.cast_signed(),
    )
    .execute(&mut **transaction)
    .await?;
    Ok(())
}

/// Deletes old changes. The newest one stays, so that a game server that has read all changes can continue after it.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct PurgeChanges {}

impl Job for PurgeChanges {
    const NAME: &'static str = "purge_game_changes";
    const INTERVAL: Option<TimeDelta> = Some(TimeDelta::hours(1));

    async fn run(&self, app: &App) -> anyhow::Result<NextRun> {
        let purged = sqlx::query!(
            "delete from game_changes where change_id in (
                 select change_id from (
                     select change_id, changed_at from game_changes
                     where number < (select max(number) from game_changes) order by number limit $2
                 ) as oldest
                 where changed_at < now() - $1::interval
             )",
            app.settings.retention.game_changes as _,
            MAX_PURGED,
        )
        .execute(&app.database)
        .await?;
        Ok(NextRun::after_purge(purged.rows_affected()))
    }
}

impl Rule for FollowChanges {
    const REFUSES_BEFORE_WRITING: bool = true;

    async fn apply(&self, cx: &mut Context<'_>) -> Result<ChangesFollowed, Failure> {
        let server = cx.service_token_id()?;
        // It does not renew the lease on presence: a link can follow the changes while its game is down.
        sqlx::query!(
            "insert into game_servers (service_token_id, seen_at, presence_until, applied_change, changes_read_at)
             values ($1, $2, $2, $3, $2)
             on conflict (service_token_id) do update
             set seen_at = excluded.seen_at, applied_change = excluded.applied_change, changes_read_at = excluded.changes_read_at",
            server.get(),
            cx.now,
            self.change_id.get(),
        )
        .execute(&mut *cx.db)
        .await?;
        Ok(ChangesFollowed {})
    }
}
