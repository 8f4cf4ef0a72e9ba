//! Keeping what providers tell. It is looked into by a job: whoever told it waits for nothing.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use guildhall_common::contract::{
    command::Failure,
    notification::Provider,
    notification::{Notification, NotificationsStored, StoreNotifications},
};
use serde_json::Value;
use sha2::{Digest, Sha256};
use sqlx::PgConnection;

use crate::{
    engine::rule::{Context, Rule},
    jobs::{self, Job},
};

impl Rule for StoreNotifications {
    async fn apply(&self, cx: &mut Context<'_>) -> Result<NotificationsStored, Failure> {
        let kept = keep(cx.db, self.provider, &self.notifications, cx.now).await?;
        cx.effects.scheduled = true;
        Ok(NotificationsStored { kept: kept.len() as i64 })
    }
}

/// One row for each, however often it was told, and a job that looks into it; answers their ids.
pub(super) async fn keep(
    database: &mut PgConnection,
    provider: Provider,
    notifications: &[Notification],
    now: DateTime<Utc>,
) -> sqlx::Result<Vec<i64>> {
    // By key, because one statement cannot touch a row twice; and in order, so that two of them cannot lock
    // each other out.
    let rows: BTreeMap<String, &Value> = notifications
        .iter()
        .map(|notification| (dedupe_key(provider, notification), &notification.body))
        .collect();
    let keys: Vec<String> = rows.keys().cloned().collect();
    let references: Vec<Option<String>> = rows.values().map(|body| reference(provider, body)).collect();
    let bodies: Vec<String> = rows.values().map(ToString::to_string).collect();
    let kept = sqlx::query_scalar!(
        "insert into payment_notifications as known (provider, dedupe_key, reference, body)
         select $1, dedupe_key, reference, body::json
         from unnest($2::text[], $3::text[], $4::text[]) as told (dedupe_key, reference, body)
         on conflict (provider, dedupe_key) do update
             set times = known.times + 1, last_at = now(), attempts = 0, parked_at = null, reason = null,
                 body = excluded.body, reference = excluded.reference
         returning notification_id",
        provider.name(),
        &keys,
        &references as &[Option<String>],
        &bodies,
    )
    .fetch_all(&mut *database)
    .await?;
    let jobs: Vec<Job> =
        kept.iter().map(|&notification_id| Job::ReadNotification { notification_id }).collect();
    jobs::schedule_all(database, &jobs, now).await?;
    Ok(kept)
}

/// The transfer's own name where the notification has one, else a hash of all of it.
fn dedupe_key(provider: Provider, notification: &Notification) -> String {
    let named = match provider {
        Provider::ApiPix => plain(&notification.body["endToEndId"], 64),
        Provider::Manual => notification.id.clone(),
    };
    named.unwrap_or_else(|| {
        let digest = Sha256::digest(notification.body.to_string().as_bytes());
        digest.iter().map(|byte| format!("{byte:02x}")).collect()
    })
}

fn reference(provider: Provider, body: &Value) -> Option<String> {
    match provider {
        Provider::ApiPix => plain(&body["txid"], 35),
        Provider::Manual => plain(&body["data"]["reference"], 35),
    }
}

/// A text of letters and digits: what else a stranger may send names nothing.
fn plain(value: &Value, most: usize) -> Option<String> {
    let text = value.as_str()?;
    let plain = (1..=most).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_alphanumeric());
    plain.then(|| text.to_owned())
}
