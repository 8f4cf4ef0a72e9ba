//! Relays: they process the rows that transactions have left, in order, after the commits.

use std::time::Duration;

use guildhall_common::platform::{backoff::Backoff, db};
use sqlx::postgres::PgTransaction;
use tokio::time::{sleep, timeout};

use crate::app::App;

/// The time limit of a batch.
const TIMEOUT: Duration = Duration::from_secs(60);

const POLL_INTERVAL: Duration = Duration::from_millis(250);

/// Work on rows in their order.
pub(crate) trait Relay {
    /// The name of the lock. It never changes, because workers of other versions take the same lock.
    const NAME: &'static str;

    /// Processes the next rows. No other worker does so until the transaction ends. Returns whether more rows may wait.
    fn relay_batch(
        app: &App,
        transaction: PgTransaction<'static>,
    ) -> impl Future<Output = anyhow::Result<bool>> + Send;
}

/// Relays until the worker stops.
pub(crate) async fn run<R: Relay>(app: App) {
    let mut backoff = Backoff::default();
    while !app.stop.is_cancelled() {
        match timeout(TIMEOUT, relay_next::<R>(&app)).await.map_err(Into::into).flatten() {
            Ok(has_more) => {
                backoff = Backoff::default();
                if !has_more {
                    app.stop.run_until_cancelled(sleep(POLL_INTERVAL)).await;
                }
            }
            Err(error) => {
                tracing::warn!(relay = R::NAME, error = format!("{error:#}"), "relay failed");
                app.stop.run_until_cancelled(backoff.wait()).await;
            }
        }
    }
}

async fn relay_next<R: Relay>(app: &App) -> anyhow::Result<bool> {
    let mut transaction = db::begin(&app.database).await?;
    // One worker relays at a time, so that the rows keep their order. The others poll again.
    let is_locked = sqlx::query_scalar!(
        r#"select pg_try_advisory_xact_lock(hashtextextended('guildhall.' || $1::text, 0)) as "is_locked!""#,
        R::NAME,
    )
    .fetch_one(&mut *transaction)
    .await?;
    if is_locked { R::relay_batch(app, transaction).await } else { Ok(false) }
}
