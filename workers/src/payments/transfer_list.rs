//! A provider's list of transfers: a window of it is read, and notifications about missing transfers are stored.

use std::time::Duration;

use anyhow::Context as _;
use chrono::{DateTime, TimeDelta, Utc};
use guildhall_common::{contract::providers::Provider, platform::db};
use sqlx::PgConnection;
use tokio::time::timeout;

use crate::{
    app::App,
    payments::{store_notifications::store, unconfirmed::find_unconfirmed},
    providers::{ListedPage, ListedTransfer, ProviderOperations, ProviderResult, TimeWindow},
};

/// Windows end this long ago. A bank whose clock is behind may refuse a window that ends in the future.
pub(super) const DELAY: TimeDelta = TimeDelta::seconds(2);

/// A window is not divided into shorter ones than this.
pub(super) const SHORTEST_WINDOW: TimeDelta = TimeDelta::minutes(20);

/// The maximum number of pages of a window, unless it cannot be divided.
const MAX_PAGES: u32 = 10;

/// The time limit of one window. It is shorter than the time limit of a job, so that the failure is stored.
const READ_TIMEOUT: Duration = Duration::from_secs(15);

/// A list of transfers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TransferList {
    /// The received transfers.
    Receipts,
    /// The received transfers that have a refund.
    Refunds,
}

impl TransferList {
    /// The name in the database.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Receipts => "receipts",
            Self::Refunds => "refunds",
        }
    }
}

/// A provider that lists its transfers.
pub(super) struct ListedProvider<'a> {
    pub(super) provider: Provider,
    operations: &'a dyn ProviderOperations,
    pub(super) refund_period: TimeDelta,
}

impl<'a> ListedProvider<'a> {
    pub(super) fn all(app: &'a App) -> Vec<Self> {
        let providers = app.services.providers.all().into_iter();
        let listed = providers.filter_map(|(provider, operations)| {
            let refund_period = operations.refund_period()?;
            Some(Self { provider, operations, refund_period })
        });
        listed.collect()
    }

    /// Reads a window of a list and stores what is missing. Returns the end of what was read: a window with too many pages is
    /// divided first.
    pub(super) async fn read(
        &self,
        app: &App,
        list: TransferList,
        window: TimeWindow,
        now: DateTime<Utc>,
    ) -> anyhow::Result<DateTime<Utc>> {
        timeout(READ_TIMEOUT, self.read_pages(app, list, window, now))
            .await
            .context("the provider lists its transfers too slowly")?
    }

    async fn read_pages(
        &self,
        app: &App,
        list: TransferList,
        mut window: TimeWindow,
        now: DateTime<Utc>,
    ) -> anyhow::Result<DateTime<Utc>> {
        let mut first = self.page(list, window, 0).await?;
        while first.pages > MAX_PAGES && (window.to - window.from) / 2 >= SHORTEST_WINDOW {
            window.to = window.from + (window.to - window.from) / 2;
            first = self.page(list, window, 0).await?;
        }
        self.store_missing(app, first.transfers, now).await?;
        for page in 1..first.pages {
            let listed = self.page(list, window, page).await?;
            self.store_missing(app, listed.transfers, now).await?;
        }
        Ok(window.to)
    }

    async fn page(&self, list: TransferList, window: TimeWindow, page: u32) -> ProviderResult<ListedPage> {
        match list {
            TransferList::Receipts => self.operations.list_receipts(window, page).await,
            TransferList::Refunds => self.operations.list_refunds(window, page).await,
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
}
