//! Finding what nobody told us of: the provider's list of all that it received is read in windows that
//! overlap, so that what it lists late is found as well.

use chrono::{DateTime, TimeDelta, Utc};
use guildhall_common::{
    contract::{notification::Notification, notification::Provider},
    platform::db,
};
use sqlx::PgConnection;

use crate::{
    app::App,
    jobs::Next,
    payments::{notification::what_the_books_miss, notify::keep},
    providers::{Listed, Window},
};

/// How far back before the end of the last window the next one begins.
const OVERLAP: TimeDelta = TimeDelta::minutes(10);

/// How long a window is, at most; one that was away for days catches up window by window.
const WINDOW: TimeDelta = TimeDelta::hours(6);

/// A window that is not longer than this is not cut in half.
const SHORTEST: TimeDelta = TimeDelta::minutes(15);

/// Pages that one attempt reads of a window that can be cut.
const MOST_PAGES: u32 = 10;

/// How far back the first window begins.
const FIRST: TimeDelta = TimeDelta::days(1);

/// How long a payment scheme takes to take money back: Pix allows 80 days for it.
const RETURNS_WITHIN: TimeDelta = TimeDelta::days(90);

const PROVIDER: Provider = Provider::ApiPix;

fn is_offered(site: &App) -> bool {
    site.providers.schemes().iter().any(|(_, offered)| *offered == PROVIDER)
}

/// What has come since the last time.
pub(crate) async fn reconcile(site: &App) -> anyhow::Result<Next> {
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
    look_into_unknown(site, listed).await?;
    for page in 1..pages {
        look_into_unknown(site, site.providers.list(PROVIDER, &window, page).await?.0).await?;
    }
    remember(site, window.to).await?;
    Ok(if window.to < row.now { Next::After(TimeDelta::zero()) } else { Next::Done })
}

/// What has gone back of money that came in the last weeks.
pub(crate) async fn reconcile_returns(site: &App) -> anyhow::Result<Next> {
    if !is_offered(site) {
        return Ok(Next::Done);
    }
    let to = Utc::now();
    let window = Window { from: to - RETURNS_WITHIN, to, returned: true };
    let mut page = 0;
    loop {
        let (listed, pages) = site.providers.list(PROVIDER, &window, page).await?;
        look_into_unknown(site, listed).await?;
        page += 1;
        if page >= pages {
            return Ok(Next::Done);
        }
    }
}

/// What is listed and not in the books is kept as if it had been told. Each is then looked into by a job of its own, so one that
/// the provider tells nothing more of, or takes its time for, keeps no other from being found.
async fn look_into_unknown(site: &App, listed: Vec<Listed>) -> anyhow::Result<()> {
    let mut unknown = Vec::new();
    let mut connection = site.database.acquire().await?;
    for listed in listed {
        let (Some(id), Some(reference)) = (&listed.end_to_end_id, &listed.reference) else {
            // Money without a txid was never asked for here.
            continue;
        };
        let missing = what_the_books_miss(&mut connection, PROVIDER, id, &listed.body).await?;
        if missing.is_some() && !is_told_in_vain(&mut connection, id, reference).await? {
            unknown.push(Notification::of_pix(listed.body));
        }
    }
    drop(connection);
    if unknown.is_empty() {
        return Ok(());
    }
    let mut transaction = db::begin(&site.database).await?;
    let kept = keep(&mut transaction, PROVIDER, &unknown, Utc::now()).await?;
    transaction.commit().await?;
    for notification_id in kept {
        tracing::info!(notification_id, "the provider's list has what the books do not");
    }
    Ok(())
}

/// Told before, and of no charge of ours: there is nothing to find.
async fn is_told_in_vain(
    database: &mut PgConnection,
    end_to_end_id: &str,
    reference: &str,
) -> sqlx::Result<bool> {
    sqlx::query_scalar!(
        r#"select exists (select from payment_notifications where provider = $1 and dedupe_key = $2)
              and not exists (select from payments where provider = $1 and reference = $3) as "in_vain!""#,
        PROVIDER.name(),
        end_to_end_id,
        reference,
    )
    .fetch_one(database)
    .await
}

async fn remember(site: &App, to: DateTime<Utc>) -> sqlx::Result<()> {
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
