//! The number of partitions of each domain. `migrate` sets it, and it grows with the number of workers.
//!
//! The fewer partitions, the more commands are in each message and in each batch, and the less a command costs. So there are only as many as
//! let each worker have a part of each domain.

use std::{mem, time::Duration};

use anyhow::Context;
use guildhall_common::platform::{
    bus::{self, Topology},
    partitions,
};
use sqlx::PgConnection;
use tokio::time::{sleep, timeout};

use crate::app::App;

/// The number of partitions of a new site.
const OF_NEW_SITE: u16 = 1;

/// The number does not grow further. Each partition is a queue, which needs about 1 MiB of the broker.
const MOST: u16 = 64;

/// A quorum queue loses its messages if the broker is killed in the seconds after its declaration.
const QUEUE_SETTLES: Duration = Duration::from_secs(3);

/// Workers that are alive for this time count. While a worker is replaced by another one, both may be alive for some seconds.
const GROWTH_INTERVAL: Duration = Duration::from_secs(10);

const GROWTH_TIMEOUT: Duration = Duration::from_secs(60);

/// Declares the queues, and spreads the commands of a domain over this number of partitions, or over the same number as before. If
/// `retires`, nothing is published to other partitions any more.
pub(crate) async fn set(
    database: &mut PgConnection,
    broker: &lapin::Connection,
    topology: &Topology,
    count: Option<u16>,
    retires: bool,
) -> anyhow::Result<()> {
    let stored = sqlx::query_scalar!(r#"select exists (select from partitions) as "stored!""#);
    let is_new = !stored.fetch_one(&mut *database).await?;
    let before = partitions::count(&mut *database).await?;
    let count = count.unwrap_or(if is_new { OF_NEW_SITE } else { before });
    topology.with_partitions(count).declare(broker).await?;
    if !is_new && count > before {
        sleep(QUEUE_SETTLES).await;
    }
    Ok(store(database, count, retires).await?)
}

/// Adds partitions while there are fewer than workers, until this worker stops.
pub(super) async fn grow_with_workers(app: App) {
    let mut workers = 0;
    while app.stop.run_until_cancelled(sleep(GROWTH_INTERVAL)).await.is_some() {
        let growth = timeout(GROWTH_TIMEOUT, grow(&app, &mut workers));
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
    set(&mut database, &connection, &app.topology, Some(count), false).await?;
    bus::with_timeout(connection.close(200, "declared".into())).await?;
    tracing::info!(partitions = count, "commands are spread over more partitions");
    Ok(())
}

/// Stores the partitions: the workers and the apis use a queue only after that.
async fn store(database: &mut PgConnection, count: u16, retires: bool) -> sqlx::Result<()> {
    let (domains, numbers): (Vec<_>, Vec<_>) =
        bus::partitions(count).map(|(domain, number)| (domain.to_owned(), i32::from(number))).unzip();
    sqlx::query!(
        "with current as (select domain, number from unnest($1::text[], $2::integer[]) as current (domain, number)),
              retired as (
                  update partitions set retired = true
                  where $3 and not exists (select from current
                                    where current.domain = partitions.domain and current.number = partitions.number)
              )
         insert into partitions (domain, number) select domain, number from current
         on conflict (domain, number) do update set retired = false",
        &domains,
        &numbers,
        retires,
    )
    .execute(database)
    .await?;
    Ok(())
}
