//! Finding money whose notification never came: the provider's list of all that it received is read
//! in windows that overlap, so that what it lists late is found as well.

use chrono::{DateTime, TimeDelta, Utc};
use guildhall_common::payments::{Notification, Provider};

use super::{notify::keep, provider::Listed};
use crate::{
    Site,
    jobs::{Job, Next, schedule_all},
};

/// How far back before the end of the last window the next one begins.
const OVERLAP: TimeDelta = TimeDelta::minutes(10);

/// How long a window is, at most; one that was away for days catches up window by window.
const WINDOW: TimeDelta = TimeDelta::hours(6);

/// How far back the first window begins.
const FIRST: TimeDelta = TimeDelta::days(1);

/// A page of the list with more than this behind it is a fault of the provider's.
const MOST_PAGES: u32 = 1000;

pub(crate) async fn reconcile(site: &Site) -> anyhow::Result<Next> {
    let provider = Provider::ApiPix;
    if !site.providers.schemes().iter().any(|(_, offered)| *offered == provider) {
        return Ok(Next::Done);
    }
    let row = sqlx::query!(
        r#"select now() as "now!", (select reconciled_to from payment_progress where provider = $1)"#,
        provider.name(),
    )
    .fetch_one(&site.database)
    .await?;
    let from = row.reconciled_to.unwrap_or(row.now - FIRST) - OVERLAP;
    let to = row.now.min(from + WINDOW);
    for page in 0..MOST_PAGES {
        let (listed, more) = site.providers.list(provider, from, to, page).await?;
        look_into_unknown(site, provider, listed).await?;
        if !more {
            break;
        }
    }
    remember(site, provider, to).await?;
    Ok(if to < row.now { Next::After(TimeDelta::zero()) } else { Next::Done })
}

/// What is listed and not in the books is treated as if it had been told.
async fn look_into_unknown(site: &Site, provider: Provider, listed: Vec<Listed>) -> anyhow::Result<()> {
    let ids: Vec<String> = listed.iter().map(|listed| listed.end_to_end_id.clone()).collect();
    let known = sqlx::query_scalar!(
        r#"select end_to_end_id as "id!" from receipts where provider = $1 and end_to_end_id = any($2)
           union all
           select dedupe_key from payment_notifications
           where provider = $1 and dedupe_key = any($2) and settled_at is null"#,
        provider.name(),
        &ids,
    )
    .fetch_all(&site.database)
    .await?;
    let unknown: Vec<Notification> = listed
        .into_iter()
        .filter(|listed| listed.reference.is_some() && !known.contains(&listed.end_to_end_id))
        .map(|listed| Notification { id: None, body: listed.body })
        .collect();
    if unknown.is_empty() {
        return Ok(());
    }
    tracing::info!(found = unknown.len(), "money was found that nobody had told of");
    let mut transaction = site.database.begin().await?;
    let kept = keep(&mut transaction, provider, &unknown).await?;
    let jobs: Vec<Job> =
        kept.into_iter().map(|notification_id| Job::ReadNotification { notification_id }).collect();
    schedule_all(&mut transaction, &jobs, Utc::now()).await?;
    transaction.commit().await?;
    site.due.notify_one();
    Ok(())
}

async fn remember(site: &Site, provider: Provider, to: DateTime<Utc>) -> sqlx::Result<()> {
    sqlx::query!(
        "insert into payment_progress (provider, reconciled_to) values ($1, $2)
         on conflict (provider) do update set reconciled_to = excluded.reconciled_to",
        provider.name(),
        to,
    )
    .execute(&site.database)
    .await?;
    Ok(())
}
