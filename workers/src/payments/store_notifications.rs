//! Stores the notifications of providers. A job processes each one, so the sender waits only for the storage.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use guildhall_common::contract::{
    command::Failure,
    payment::{NotificationId, NotificationsStored, StoreNotifications},
    providers::{Notification, Provider},
};
use serde_json::Value;
use sqlx::PgConnection;

use crate::{
    engine::{
        context::Context,
        jobs::{self},
        rule::Rule,
    },
    payments::process_notification::ProcessNotification,
    providers::Providers,
};

impl Rule for StoreNotifications {
    async fn apply(&self, cx: &mut Context<'_>) -> Result<NotificationsStored, Failure> {
        let stored = store(cx.db, self.provider, &self.notifications, cx.now).await?;
        cx.effects.scheduled = true;
        Ok(NotificationsStored { kept: stored.len() as i64 })
    }
}

/// Stores one row per dedupe key, however often the notification was received, and schedules a job for each. Returns the ids.
pub(super) async fn store(
    database: &mut PgConnection,
    provider: Provider,
    notifications: &[Notification],
    now: DateTime<Utc>,
) -> sqlx::Result<Vec<NotificationId>> {
    // A map, because one statement cannot write a row twice. It is sorted, so that two transactions lock rows in the same
    // order.
    let rows: BTreeMap<String, (Option<String>, &Value)> = notifications
        .iter()
        .map(|notification| {
            let keys = Providers::notification_keys(provider, notification);
            (keys.dedupe_key, (keys.reference, &notification.body))
        })
        .collect();
    let keys: Vec<String> = rows.keys().cloned().collect();
    let references: Vec<Option<String>> = rows.values().map(|(reference, _)| reference.clone()).collect();
    let bodies: Vec<String> = rows.values().map(|(_, body)| body.to_string()).collect();
    let stored = sqlx::query_scalar!(
        r#"insert into payment_notifications as stored (provider, dedupe_key, reference, body)
           select $1, dedupe_key, reference, body::json
           from unnest($2::text[], $3::text[], $4::text[]) as received (dedupe_key, reference, body)
           on conflict (provider, dedupe_key) do update
               set times = stored.times + 1, last_at = now(), attempts = 0, parked_at = null,
                   discarded_at = null, reason = null, body = excluded.body, reference = excluded.reference
           returning notification_id as "notification_id: NotificationId""#,
        provider.name(),
        &keys,
        &references as &[Option<String>],
        &bodies,
    )
    .fetch_all(&mut *database)
    .await?;
    let jobs: Vec<_> =
        stored.iter().map(|&notification_id| ProcessNotification { notification_id }).collect();
    jobs::schedule_all(database, &jobs, now).await?;
    Ok(stored)
}
