//! Finding what nobody told us of: the provider's list of all that it received is read in windows that
//! overlap, so that what it lists late is found as well.

use chrono::{DateTime, TimeDelta, Utc};
use guildhall_common::{
    db,
    payments::{Notification, Provider},
};

use super::{
    books::{Which, find_receipt},
    notify::keep,
    provider::{Listed, Window},
    settle::compare,
};
use crate::{
    Site,
    jobs::{Job, Next, schedule_all},
};

/// How far back before the end of the last window the next one begins.
const OVERLAP: TimeDelta = TimeDelta::minutes(10);

/// How long a window is, at most; one that was away for days catches up window by window.
const WINDOW: TimeDelta = TimeDelta::hours(6);

/// A window that is not longer than this is not cut in half.
const SHORTEST: TimeDelta = TimeDelta::minutes(15);

/// Pages that one attempt reads of a window that can be cut.
const MOST_PAGES: u32 = 20;

/// How far back the first window begins.
const FIRST: TimeDelta = TimeDelta::days(1);

/// How long a payment scheme takes to take money back: Pix allows 80 days for it.
const RETURNS_WITHIN: TimeDelta = TimeDelta::days(90);

const PROVIDER: Provider = Provider::ApiPix;

fn is_offered(site: &Site) -> bool {
    site.providers.schemes().iter().any(|(_, offered)| *offered == PROVIDER)
}

/// What has come since the last time.
pub(crate) async fn reconcile(site: &Site) -> anyhow::Result<Next> {
    if !is_offered(site) {
        return Ok(Next::Done);
    }
    let row = sqlx::query!(
        r#"select now() as "now!", (select reconciled_to from payment_progress where provider = $1)"#,
        PROVIDER.name(),
    )
    .fetch_one(&site.database)
    .await?;
    let from = row.reconciled_to.unwrap_or(row.now - FIRST) - OVERLAP;
    let mut window = Window { from, to: row.now.min(from + WINDOW), returned: false };
    let (mut listed, mut pages) = site.providers.list(PROVIDER, &window, 0).await?;
    while pages > MOST_PAGES && window.to - window.from > SHORTEST {
        window.to = window.from + (window.to - window.from) / 2;
        (listed, pages) = site.providers.list(PROVIDER, &window, 0).await?;
    }
    book_unknown(site, listed).await?;
    for page in 1..pages {
        book_unknown(site, site.providers.list(PROVIDER, &window, page).await?.0).await?;
    }
    remember(site, window.to).await?;
    Ok(if window.to < row.now { Next::After(TimeDelta::zero()) } else { Next::Done })
}

/// What has gone back of money that came in the last weeks.
pub(crate) async fn reconcile_returns(site: &Site) -> anyhow::Result<Next> {
    if !is_offered(site) {
        return Ok(Next::Done);
    }
    let to = Utc::now();
    let window = Window { from: to - RETURNS_WITHIN, to, returned: true };
    let mut page = 0;
    loop {
        let (listed, pages) = site.providers.list(PROVIDER, &window, page).await?;
        for reference in listed.iter().filter_map(|listed| listed.reference.as_deref()) {
            compare(site, Which::Reference(PROVIDER, reference)).await?;
        }
        page += 1;
        if page >= pages {
            return Ok(Next::Done);
        }
    }
}

/// What is listed and not in the books: its charge is compared. What is not in the books even then is kept as if
/// it had been told, so that somebody sees it.
async fn book_unknown(site: &Site, listed: Vec<Listed>) -> anyhow::Result<()> {
    let mut strange = Vec::new();
    for listed in listed {
        let (Some(id), Some(reference)) = (&listed.end_to_end_id, &listed.reference) else {
            // Money without a txid was never asked for here.
            continue;
        };
        if is_booked(site, id).await? {
            continue;
        }
        compare(site, Which::Reference(PROVIDER, reference)).await?;
        if is_booked(site, id).await? {
            tracing::info!(reference, "found money that nobody told of");
        } else {
            strange.push(listed);
        }
    }
    keep_strange(site, strange).await
}

async fn is_booked(site: &Site, end_to_end_id: &str) -> anyhow::Result<bool> {
    let mut connection = site.database.acquire().await?;
    Ok(find_receipt(&mut connection, PROVIDER, end_to_end_id).await?.is_some())
}

/// Unless it was told already.
async fn keep_strange(site: &Site, strange: Vec<Listed>) -> anyhow::Result<()> {
    let ids: Vec<String> = strange.iter().filter_map(|listed| listed.end_to_end_id.clone()).collect();
    let told = sqlx::query_scalar!(
        "select dedupe_key from payment_notifications where provider = $1 and dedupe_key = any($2)",
        PROVIDER.name(),
        &ids,
    )
    .fetch_all(&site.database)
    .await?;
    let untold: Vec<Notification> = strange
        .into_iter()
        .filter(|listed| listed.end_to_end_id.as_ref().is_some_and(|id| !told.contains(id)))
        .map(|listed| Notification::of_pix(listed.body))
        .collect();
    let mut transaction = db::begin(&site.database).await?;
    let kept = keep(&mut transaction, PROVIDER, &untold).await?;
    let jobs: Vec<Job> =
        kept.into_iter().map(|notification_id| Job::ReadNotification { notification_id }).collect();
    schedule_all(&mut transaction, &jobs, Utc::now()).await?;
    Ok(transaction.commit().await?)
}

async fn remember(site: &Site, to: DateTime<Utc>) -> sqlx::Result<()> {
    sqlx::query!(
        "insert into payment_progress (provider, reconciled_to) values ($1, $2)
         on conflict (provider) do update set reconciled_to = excluded.reconciled_to",
        PROVIDER.name(),
        to,
    )
    .execute(&site.database)
    .await?;
    Ok(())
}
