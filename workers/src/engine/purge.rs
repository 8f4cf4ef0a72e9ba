//! The jobs that delete old operations and old messages.

use chrono::TimeDelta;
use serde::{Deserialize, Serialize};

use crate::{
    app::App,
    engine::jobs::{Job, MAX_PURGED, NextRun},
};

/// Deletes old operations, and the idempotency keys that they have claimed.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct PurgeOperations {}

impl Job for PurgeOperations {
    const NAME: &'static str = "purge_operations";
    const INTERVAL: Option<TimeDelta> = Some(TimeDelta::hours(1));

    async fn run(&self, app: &App) -> anyhow::Result<NextRun> {
        let purged = sqlx::query!(
            "with purged as (
                 delete from operations where operation_id in
                 (select operation_id from operations where applied_at < now() - $1::interval order by applied_at limit $2)
                 returning operation_id
             ),
             keys as (delete from idempotency_keys using purged where idempotency_keys.operation_id = purged.operation_id)
             select operation_id from purged",
            app.settings.retention.operations as _,
            MAX_PURGED,
        )
        .fetch_all(&app.database)
        .await?;
        Ok(NextRun::after_purge(purged.len() as u64))
    }
}

/// Deletes the messages of dead letters that are too old for a replay. Their redacted form stays.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct PurgeDeadLetterBodies {}

impl Job for PurgeDeadLetterBodies {
    const NAME: &'static str = "purge_dead_letter_bodies";
    const INTERVAL: Option<TimeDelta> = Some(TimeDelta::hours(1));

    async fn run(&self, app: &App) -> anyhow::Result<NextRun> {
        let purged = sqlx::query!(
            "delete from dead_letter_bodies where dead_letter_id in
             (select dead_letter_id from dead_letter_bodies join dead_letters using (dead_letter_id)
              where died_at < now() - $1::interval order by dead_letter_id limit $2)",
            app.settings.retention.operations as _,
            MAX_PURGED,
        )
        .execute(&app.database)
        .await?;
        Ok(NextRun::after_purge(purged.rows_affected()))
    }
}
