//! The jobs that delete old rows.

use chrono::TimeDelta;
use guildhall_common::platform::db;

use crate::{app::App, jobs::job::NextRun, mail::MailKind};

/// The maximum number of rows that one statement deletes. Postgres cancels a statement after seconds, and an attempt that deletes
/// nothing would be repeated without end.
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
    let purged = sqlx::query!(
        "delete from guild_invites where (guild_id, character_id) in
         (select guild_id, character_id from guild_invites
          where expires_at < now() order by expires_at limit $1 for update skip locked)",
        MAX_ROWS,
    )
    .execute(&app.database)
    .await?;
    Ok(next_run(purged.rows_affected()))
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
    let purged = sqlx::query!(
        "delete from dead_letter_bodies where dead_letter_id in
         (select dead_letter_id from dead_letter_bodies join dead_letters using (dead_letter_id)
          where died_at < now() - $1::interval order by dead_letter_id limit $2)",
        app.settings.operations_kept as _,
        MAX_ROWS,
    )
    .execute(&app.database)
    .await?;
    Ok(next_run(purged.rows_affected()))
}

/// Expired tokens of mails, last mails to deleted accounts that could not be sent, and mails that were sent or discarded long ago.
pub(super) async fn mails(app: &App) -> anyhow::Result<NextRun> {
    let tokens = sqlx::query!(
        "delete from mail_tokens where token_hash in
         (select token_hash from mail_tokens where expires_at < now() order by expires_at limit $1)",
        MAX_ROWS,
    );
    let tokens = tokens.execute(&app.database).await?.rows_affected();
    let unsent = sqlx::query!(
        "delete from mails where mail_id in
         (select mail_id from mails where kind = $1 and expires_at < now() order by expires_at limit $2)",
        MailKind::DeletionDone.name(),
        MAX_ROWS,
    );
    let unsent = unsent.execute(&app.database).await?.rows_affected();
    let ended = sqlx::query!(
        "delete from mails where mail_id in
         (select mail_id from mails where state in ('sent', 'discarded') and ended_at < now() - $1::interval
              and not exists (select from mail_tokens where mail_tokens.mail_id = mails.mail_id)
          order by ended_at limit $2)",
        app.settings.operations_kept as _,
        MAX_ROWS,
    );
    let ended = ended.execute(&app.database).await?.rows_affected();
    Ok(next_run(tokens.max(unsent).max(ended)))
}

/// Exports, and the identities of deleted accounts, when the time for which they are kept has ended.
pub(super) async fn accounts(app: &App) -> anyhow::Result<NextRun> {
    sqlx::query!("delete from account_exports where expires_at < now()").execute(&app.database).await?;
    sqlx::query!("delete from retained_identities where kept_until < now()").execute(&app.database).await?;
    Ok(NextRun::Done)
}
