//! The jobs that delete old data of accounts.

use chrono::TimeDelta;
use guildhall_common::platform::db;
use serde::{Deserialize, Serialize};

use crate::{
    app::App,
    engine::jobs::{Job, MAX_PURGED, NextRun},
};

/// Deletes expired refresh tokens, and their sessions that have no other token. Each session starts with a token.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct PurgeSessions {}

impl Job for PurgeSessions {
    const NAME: &'static str = "purge_sessions";
    const INTERVAL: Option<TimeDelta> = Some(TimeDelta::hours(1));

    async fn run(&self, app: &App) -> anyhow::Result<NextRun> {
        // One transaction: nothing else finds the sessions again.
        let mut transaction = db::begin(&app.database).await?;
        let purged = sqlx::query_scalar!(
            "delete from refresh_tokens where token_hash in
             (select token_hash from refresh_tokens where expires_at < now() order by expires_at limit $1)
             returning session_id",
            MAX_PURGED,
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
        Ok(NextRun::after_purge(purged.len() as u64))
    }
}

/// Deletes exports, and the identities of deleted accounts, when the time for which they are kept has ended.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct PurgeAccounts {}

impl Job for PurgeAccounts {
    const NAME: &'static str = "purge_accounts";
    const INTERVAL: Option<TimeDelta> = Some(TimeDelta::hours(1));

    async fn run(&self, app: &App) -> anyhow::Result<NextRun> {
        sqlx::query!("delete from account_exports where expires_at < now()").execute(&app.database).await?;
        sqlx::query!("delete from retained_identities where kept_until < now()")
            .execute(&app.database)
            .await?;
        Ok(NextRun::Done)
    }
}
