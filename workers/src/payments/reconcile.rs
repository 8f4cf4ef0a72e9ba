//! Finding money whose notification never came: the provider's list of all that it received is read
//! in windows that overlap, so that what it lists late is found as well.

use chrono::{DateTime, TimeDelta, Utc};
use guildhall_common::payments::{Notification, Provider};

use super::{books::Which, notify::keep, provider::Listed, settle::compare};
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

/// What is listed and not in the books: its charge is compared. What names no charge of ours is kept as
/// if it had been told, so that somebody sees it.
async fn look_into_unknown(site: &Site, provider: Provider, listed: Vec<Listed>) -> anyhow::Result<()> {
    let ids: Vec<String> = listed.iter().map(|listed| listed.end_to_end_id.clone()).collect();
    let known = sqlx::query_scalar!(
        "select end_to_end_id from receipts where provider = $1 and end_to_end_id = any($2)",
        provider.name(),
        &ids,
    )
    .fetch_all(&site.database)
    .await?;
    let mut strange = Vec::new();
    for listed in listed.into_iter().filter(|listed| !known.contains(&listed.end_to_end_id)) {
        // Money without a txid was never asked for here.
        let Some(reference) = &listed.reference else { continue };
        match compare(site, Which::Reference(provider, reference)).await? {
            Some(charge) => {
                tracing::info!(payment_id = %charge.payment_id, "found money that nobody told of")
            }
            None => strange.push(listed),
        }
    }
    keep_strange(site, provider, strange).await
}

async fn keep_strange(site: &Site, provider: Provider, strange: Vec<Listed>) -> anyhow::Result<()> {
    let ids: Vec<String> = strange.iter().map(|listed| listed.end_to_end_id.clone()).collect();
    let told = sqlx::query_scalar!(
        "select dedupe_key from payment_notifications where provider = $1 and dedupe_key = any($2)",
        provider.name(),
        &ids,
    )
    .fetch_all(&site.database)
    .await?;
    let untold: Vec<Notification> = strange
        .into_iter()
        .filter(|listed| !told.contains(&listed.end_to_end_id))
        .map(|listed| Notification { id: None, body: listed.body })
        .collect();
    let mut transaction = site.database.begin().await?;
    let kept = keep(&mut transaction, provider, &untold).await?;
    let jobs: Vec<Job> =
        kept.into_iter().map(|notification_id| Job::ReadNotification { notification_id }).collect();
    schedule_all(&mut transaction, &jobs, Utc::now()).await?;
    Ok(transaction.commit().await?)
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
