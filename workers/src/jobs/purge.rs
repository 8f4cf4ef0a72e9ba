//! Forgets what nobody needs any more.

use chrono::TimeDelta;

use crate::{app::App, jobs::Next};

/// Rows purged at a time.
const SLICE: i64 = 5000;

fn more(purged: u64) -> Next {
    if purged == SLICE as u64 { Next::After(TimeDelta::zero()) } else { Next::Done }
}

pub(super) async fn operations(site: &App) -> anyhow::Result<Next> {
    let purged = sqlx::query!(
        "delete from operations where operation_id in
         (select operation_id from operations where applied_at < now() - $1::interval order by applied_at limit $2)",
        site.settings.operations_kept as _,
        SLICE,
    )
    .execute(&site.database)
    .await?;
    Ok(more(purged.rows_affected()))
}

/// What is settled is in the books.
pub(super) async fn notifications(site: &App) -> anyhow::Result<Next> {
    let purged = sqlx::query!(
        "delete from payment_notifications where notification_id in
         (select notification_id from payment_notifications
          where state = 'settled' and last_at < now() - $1::interval order by notification_id limit $2)",
        site.settings.operations_kept as _,
        SLICE,
    )
    .execute(&site.database)
    .await?;
    Ok(more(purged.rows_affected()))
}

pub(super) async fn invites(site: &App) -> anyhow::Result<Next> {
    sqlx::query!(
        "delete from guild_invites where (guild_id, character_id) in
         (select guild_id, character_id from guild_invites where expires_at < now() for update skip locked)",
    )
    .execute(&site.database)
    .await?;
    Ok(Next::Done)
}

pub(super) async fn sessions(site: &App) -> anyhow::Result<Next> {
    let purged = sqlx::query!(
        "delete from refresh_tokens where token_hash in
         (select token_hash from refresh_tokens where expires_at < now() order by expires_at limit $1)",
        SLICE,
    )
    .execute(&site.database)
    .await?;
    sqlx::query!(
        "delete from sessions where created_at < now() - interval '1 day' and not exists
         (select from refresh_tokens where refresh_tokens.session_id = sessions.session_id)",
    )
    .execute(&site.database)
    .await?;
    Ok(more(purged.rows_affected()))
}
