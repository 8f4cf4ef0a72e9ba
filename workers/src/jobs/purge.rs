//! The jobs that delete old rows.

use chrono::TimeDelta;
use guildhall_common::platform::db;

use crate::{app::App, jobs::job::NextRun};

/// The maximum number of rows that one attempt deletes.
const MAX_ROWS: i64 = 5000;

fn next_run(purged: u64) -> NextRun {
    if purged == MAX_ROWS as u64 { NextRun::After(TimeDelta::zero()) } else { NextRun::Done }
}

/// Operations, and the idempotency keys that they have claimed.
pub(super) async fn operations(app: &App) -> anyhow::Result<NextRun> {
    let purged = sqlx::query!(
        "with purged as (
             delete from operations where operation_id in
             (select operation_id from operations where applied_at < now() - $1::interval order by applied_at limit $2)
             returning operation_id
         ),
         keys as (delete from idempotency_keys using purged where idempotency_keys.operation_id = purged.operation_id)
         select operation_id from purged",
        app.settings.operations_kept as _,
        MAX_ROWS,
    )
    .fetch_all(&app.database)
    .await?;
    Ok(next_run(purged.len() as u64))
}

/// Processed and discarded notifications. Receipts and refunds stay.
pub(super) async fn notifications(app: &App) -> anyhow::Result<NextRun> {
    let purged = sqlx::query!(
        "delete from payment_notifications where notification_id in
         (select notification_id from payment_notifications
          where state in ('settled', 'discarded') and last_at < now() - $1::interval order by notification_id limit $2)",
        app.settings.operations_kept as _,
        MAX_ROWS,
    )
    .execute(&app.database)
    .await?;
    Ok(next_run(purged.rows_affected()))
}

/// Expired invites to guilds.
pub(super) async fn invites(app: &App) -> anyhow::Result<NextRun> {
    sqlx::query!(
        "delete from guild_invites where (guild_id, character_id) in
         (select guild_id, character_id from guild_invites where expires_at < now() for update skip locked)",
    )
    .execute(&app.database)
    .await?;
    Ok(NextRun::Done)
}

/// Expired refresh tokens, and their sessions that have no other token. Each session starts with a token.
pub(super) async fn sessions(app: &App) -> anyhow::Result<NextRun> {
    // One transaction: nothing else finds the sessions again.
    let mut transaction = db::begin(&app.database).await?;
    let purged = sqlx::query_scalar!(
        "delete from refresh_tokens where token_hash in
         (select token_hash from refresh_tokens where expires_at < now() order by expires_at limit $1)
         returning session_id",
        MAX_ROWS,
    )
    .fetch_all(&mut *transaction)
    .await?;
    sqlx::query!(
        "delete from sessions where session_id = any($1) and not exists
         (select from refresh_tokens where refresh_tokens.session_id = sessions.session_id)",
        &purged,
    )
    .execute(&mut *transaction)
    .await?;
    transaction.commit().await?;
    Ok(next_run(purged.len() as u64))
}

/// Messages of dead letters that are too old for a replay. Their redacted form stays.
pub(super) async fn dead_letter_bodies(app: &App) -> anyhow::Result<NextRun> {
    sqlx::query!(
        "delete from dead_letter_bodies using dead_letters
         where dead_letters.dead_letter_id = dead_letter_bodies.dead_letter_id and died_at < now() - $1::interval",
        app.settings.operations_kept as _,
    )
    .execute(&app.database)
    .await?;
    Ok(NextRun::Done)
}

/// Exports, and the identities of deleted accounts, when the time for which they are kept has ended.
pub(super) async fn accounts(app: &App) -> anyhow::Result<NextRun> {
    sqlx::query!("delete from account_exports where expires_at < now()").execute(&app.database).await?;
    sqlx::query!("delete from retained_identities where kept_until < now()").execute(&app.database).await?;
    Ok(NextRun::Done)
}
