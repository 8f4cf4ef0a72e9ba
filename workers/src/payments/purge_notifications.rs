//! The job that deletes old notifications.

use chrono::TimeDelta;
use serde::{Deserialize, Serialize};

use crate::{
    app::App,
    engine::jobs::{Job, MAX_PURGED, NextRun},
};

/// Deletes processed and discarded notifications. Receipts and refunds stay.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct PurgeNotifications {}

impl Job for PurgeNotifications {
    const NAME: &'static str = "purge_notifications";
    const INTERVAL: Option<TimeDelta> = Some(TimeDelta::hours(1));

    async fn run(&self, app: &App) -> anyhow::Result<NextRun> {
        let purged = sqlx::query!(
            "delete from payment_notifications where notification_id in
             (select notification_id from payment_notifications
              where state in ('settled', 'discarded') and last_at < now() - $1::interval order by notification_id limit $2)",
            app.settings.retention.operations as _,
            MAX_PURGED,
        )
        .execute(&app.database)
        .await?;
        Ok(NextRun::after_purge(purged.rows_affected()))
    }
}
