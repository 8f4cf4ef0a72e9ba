//! Finds transfers without a notification. Each provider's list of transfers is read in overlapping windows, so that a
//! transfer that the provider lists late is found as well.

use chrono::{DateTime, TimeDelta, Utc};
use guildhall_common::{contract::notification::Provider, platform::db};
use sqlx::PgConnection;

use crate::{
    app::App,
    jobs::NextRun,
    payments::{store_notifications::store, unconfirmed::find_unconfirmed},
    providers::{ListedTransfer, ProviderOperations, TimeWindow},
};

/// How far a window goes back before the end of the previous one.
const OVERLAP: TimeDelta = TimeDelta::minutes(10);

/// The longest window. After an outage of days, the job catches up window by window.
const LONGEST_WINDOW: TimeDelta = TimeDelta::hours(6);

/// A window of this length or less is not divided.
const SHORTEST_WINDOW: TimeDelta = TimeDelta::minutes(15);

/// The maximum number of pages that one attempt reads, unless the window cannot be divided.
const MAX_PAGES: u32 = 10;

/// How far the first window goes back.
const FIRST_WINDOW: TimeDelta = TimeDelta::days(1);

/// A provider that lists its transfers.
struct ListingProvider<'a> {
    provider: Provider,
    operations: &'a dyn ProviderOperations,
    refund_period: TimeDelta,
}

/// Finds receipts since the last window.
pub(crate) async fn reconcile_receipts(app: &App) -> anyhow::Result<NextRun> {
    let mut result = Ok(NextRun::Done);
    // A provider that fails does not stop the others. The job is retried for it.
    for listing in listing_providers(app) {
        match listing.reconcile_receipts(app).await {
            Ok(NextRun::Done) => {}
            Ok(more) => result = result.map(|_| more),
            Err(error) => result = Err(error),
        }
    }
    result
}

/// Finds refunds of receipts within the provider's refund period.
pub(crate) async fn reconcile_refunds(app: &App) -> anyhow::Result<NextRun> {
    let mut result = Ok(NextRun::Done);
    for listing in listing_providers(app) {
        if let Err(error) = listing.reconcile_refunds(app).await {
            result = Err(error);
        }
    }
    result
}

fn listing_providers(app: &App) -> Vec<ListingProvider<'_>> {
    let providers = app.providers.all().into_iter();
    let listing = providers.filter_map(|(provider, operations)| {
        let refund_period = operations.refund_period()?;
        Some(ListingProvider { provider, operations, refund_period })
    });
    listing.collect()
}

impl ListingProvider<'_> {
    async fn reconcile_receipts(&self, app: &App) -> anyhow::Result<NextRun> {
        let progress = sqlx::query!(
            r#"select clock_timestamp() as "now!", (select reconciled_to from payment_progress where provider = $1)"#,
            self.provider.name(),
        )
        .fetch_one(&app.database)
        .await?;
        let now = progress.now;
        let from = progress.reconciled_to.unwrap_or(now - FIRST_WINDOW) - OVERLAP;
        let window = TimeWindow { from, to: now.min(from + LONGEST_WINDOW) };
        let window = self.store_receipts(app, window, now).await?;
        self.save_progress(app, window.to).await?;
        Ok(if window.to < now { NextRun::After(TimeDelta::zero()) } else { NextRun::Done })
    }

    /// Stores the missing receipts of the window. A window with too many pages is divided first. Returns the window that was
    /// read.
    async fn store_receipts(
        &self,
        app: &App,
        mut window: TimeWindow,
        now: DateTime<Utc>,
    ) -> anyhow::Result<TimeWindow> {
        let mut first = self.operations.list_receipts(window, 0).await?;
        while first.pages > MAX_PAGES && window.to - window.from > SHORTEST_WINDOW {
            window.to = window.from + (window.to - window.from) / 2;
            first = self.operations.list_receipts(window, 0).await?;
        }
        self.store_missing(app, first.transfers, now).await?;
        for page in 1..first.pages {
            let listed = self.operations.list_receipts(window, page).await?;
            self.store_missing(app, listed.transfers, now).await?;
        }
        Ok(window)
    }

    async fn reconcile_refunds(&self, app: &App) -> anyhow::Result<()> {
        let now =
            sqlx::query_scalar!(r#"select clock_timestamp() as "now!""#).fetch_one(&app.database).await?;
        let window = TimeWindow { from: now - self.refund_period, to: now };
        let mut page = 0;
        loop {
            let listed = self.operations.list_refunds(window, page).await?;
            self.store_missing(app, listed.transfers, now).await?;
            page += 1;
            if page >= listed.pages {
                return Ok(());
            }
        }
    }

    /// Stores a notification about each listed transfer that the records do not have. Each notification has a job of its own,
    /// so a transfer that cannot be processed does not stop the others.
    async fn store_missing(
        &self,
        app: &App,
        listed: Vec<ListedTransfer>,
        now: DateTime<Utc>,
    ) -> anyhow::Result<()> {
        let mut missing = Vec::new();
        let mut connection = app.database.acquire().await?;
        for transfer in listed {
            if self.is_missing(&mut connection, &transfer).await? {
                missing.push(transfer.notification);
            }
        }
        drop(connection);
        if missing.is_empty() {
            return Ok(());
        }
        let mut transaction = db::begin(&app.database).await?;
        let stored = store(&mut transaction, self.provider, &missing, now).await?;
        transaction.commit().await?;
        for notification_id in stored {
            tracing::info!(
                notification.id = notification_id.get(),
                payment.provider = self.provider.name(),
                "unrecorded transfer found"
            );
        }
        Ok(())
    }

    /// Whether the records do not have a transfer for a charge. A transfer without a reference belongs to no charge.
    async fn is_missing(&self, database: &mut PgConnection, transfer: &ListedTransfer) -> sqlx::Result<bool> {
        let (Some(id), Some(reference)) = (&transfer.end_to_end_id, &transfer.reference) else {
            return Ok(false);
        };
        let unconfirmed = find_unconfirmed(database, self.provider, id, &transfer.refunds).await?;
        Ok(unconfirmed.is_some() && !self.is_known_without_charge(database, id, reference).await?)
    }

    /// Whether a notification about the transfer is stored and no payment has its reference: then there is nothing to find.
    async fn is_known_without_charge(
        &self,
        database: &mut PgConnection,
        end_to_end_id: &str,
        reference: &str,
    ) -> sqlx::Result<bool> {
        sqlx::query_scalar!(
            r#"select exists (select from payment_notifications where provider = $1 and dedupe_key = $2)
                  and not exists (select from payments where provider = $1 and reference = $3) as "is_known!""#,
            self.provider.name(),
            end_to_end_id,
            reference,
        )
        .fetch_one(database)
        .await
    }

    async fn save_progress(&self, app: &App, reconciled_to: DateTime<Utc>) -> sqlx::Result<()> {
        sqlx::query!(
            "insert into payment_progress (provider, reconciled_to) values ($1, $2)
             on conflict (provider) do update set reconciled_to = excluded.reconciled_to",
            self.provider.name(),
            reconciled_to,
        )
        .execute(&app.database)
        .await?;
        Ok(())
    }
}
