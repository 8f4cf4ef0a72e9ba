//! A stored notification that is processed, and its state: open, settled or parked.

use anyhow::Context as _;
use guildhall_common::{
    contract::{payment::NotificationId, providers::Provider},
    platform::{backoff::JOB_DELAY, db},
};
use serde_json::Value;
use sqlx::types::Json;

use crate::{app::App, engine::jobs::NextRun};

/// A notification, as it is stored.
pub(super) struct OpenNotification {
    notification_id: NotificationId,
    pub(super) provider: Provider,
    /// How often it was received. Another repetition has a job of its own, so an outcome for an older count is dropped.
    times: i32,
    pub(super) body: Value,
}

impl OpenNotification {
    pub(super) async fn load(app: &App, notification_id: NotificationId) -> anyhow::Result<Option<Self>> {
        let row = sqlx::query!(
            r#"select provider as "provider: Provider", times, body as "body: Json<Value>"
               from payment_notifications where notification_id = $1"#,
            notification_id.get(),
        )
        .fetch_optional(&app.database)
        .await?;
        Ok(row.map(|row| Self {
            notification_id,
            provider: row.provider,
            times: row.times,
            body: row.body.0,
        }))
    }

    pub(super) async fn mark_settled(&self, app: &App) -> anyhow::Result<()> {
        sqlx::query!(
            "update payment_notifications
             set settled_at = coalesce(settled_at, clock_timestamp()), parked_at = null, discarded_at = null, reason = null
             where notification_id = $1",
            self.notification_id.get(),
        )
        .execute(&app.database)
        .await?;
        tracing::info!("notification settled");
        Ok(())
    }

    /// Counts an attempt without a confirmation. After the last one, the notification is parked.
    pub(super) async fn retry_or_park(&self, app: &App, reason: &str) -> anyhow::Result<NextRun> {
        let attempts = sqlx::query_scalar!(
            "update payment_notifications set attempts = attempts + 1, settled_at = null
             where notification_id = $1 and times = $2 returning attempts",
            self.notification_id.get(),
            self.times,
        )
        .fetch_optional(&app.database)
        .await?;
        match attempts {
            None => Ok(NextRun::Done),
            Some(attempts) if attempts < app.settings.payments.notification_tries => {
                tracing::debug!(attempts, reason, "notification not confirmed");
                Ok(NextRun::After(JOB_DELAY.after(attempts)))
            }
            Some(_) => self.park(app, reason).await,
        }
    }

    /// Parks the notification: it is not processed again before an administrator replays it.
    pub(super) async fn park(&self, app: &App, reason: &str) -> anyhow::Result<NextRun> {
        let parked = sqlx::query!(
            "update payment_notifications set parked_at = clock_timestamp(), settled_at = null, reason = $2
             where notification_id = $1 and times = $3",
            self.notification_id.get(),
            db::without_nul(reason),
            self.times,
        )
        .execute(&app.database)
        .await
        .context("parking a notification")?;
        if parked.rows_affected() > 0 {
            metrics::counter!("guildhall_notifications_parked_total").increment(1);
            tracing::warn!(reason, "notification parked");
        }
        Ok(NextRun::Done)
    }
}
