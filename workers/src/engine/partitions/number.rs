//! The number of partitions of each domain. `migrate` sets it, and it grows with the number of workers.

use std::time::Duration;

use guildhall_common::platform::{
    bus::{self, Topology},
    partitions,
};
use sqlx::PgConnection;
use tokio::time::sleep;

/// The number of partitions of a new site.
const OF_NEW_SITE: u16 = 1;

/// A quorum queue loses its messages if the broker is killed in the seconds after its declaration.
const QUEUE_SETTLES: Duration = Duration::from_secs(3);

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
