//! The growth of the number of partitions with the number of workers.
//!
//! The fewer partitions, the more commands are in each message and in each batch, and the less a command costs. So there are only as many as
//! let each worker have a part of each domain.

use std::{mem, time::Duration};

use anyhow::Context;
use guildhall_common::platform::{bus, partitions};
use tokio::time::{sleep, timeout};

use crate::{app::App, engine::partitions::set_number};

/// The number does not grow further. Each partition is a queue, which needs about 1 MiB of the broker.
const MOST: u16 = 64;

/// Workers that are alive for this time count. While a worker is replaced by another one, both may be alive for some seconds.
const INTERVAL: Duration = Duration::from_secs(10);

const TIMEOUT: Duration = Duration::from_secs(60);

/// Adds partitions while there are fewer than workers, until this worker stops.
pub(in crate::engine) async fn grow_with_workers(app: App) {
    let mut workers = 0;
    while app.stop.run_until_cancelled(sleep(INTERVAL)).await.is_some() {
        let growth = timeout(TIMEOUT, grow(&app, &mut workers));
        let Some(result) = app.stop.run_until_cancelled(growth).await else { return };
        if let Err(error) = result.context("it takes too long").flatten() {
            tracing::warn!(error = format!("{error:#}"), "number of partitions not changed");
        }
    }
}

/// Several workers may do this at the same time.
async fn grow(app: &App, workers: &mut u16) -> anyhow::Result<()> {
    let alive = sqlx::query_scalar!(
        r#"select least(count(*), $1)::integer as "alive!" from workers where alive_until > clock_timestamp()"#,
        i64::from(MOST),
    );
    let alive = u16::try_from(alive.fetch_one(&app.database).await?)?;
    let count = alive.min(mem::replace(workers, alive));
    if count <= partitions::count(&app.database).await? {
        return Ok(());
    }
    let connection = app.broker.connect("partitions").await?;
    let mut database = app.database.acquire().await?;
    // An operator may set a higher number at this moment. It stays.
    set_number(&mut database, &connection, &app.topology, Some(count), false).await?;
    bus::with_timeout(connection.close(200, "declared".into())).await?;
    tracing::info!(partitions = count, "commands are spread over more partitions");
    Ok(())
}
