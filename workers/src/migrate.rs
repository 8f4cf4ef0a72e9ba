//! The migration of a site: the schema of the database, the recurring jobs and the queues.

use std::time::Duration;

use guildhall_common::platform::{
    bus::{self, Broker, Topology},
    config::ServerSettings,
    db, partitions,
};
use secrecy::ExposeSecret;
use sqlx::{Connection, PgConnection};
use tokio::time::sleep;

use crate::jobs;

/// The number of partitions of a new site.
const PARTITIONS: u16 = 8;

/// A quorum queue loses its messages if the broker is killed in the seconds after its declaration.
const QUEUE_SETTLES: Duration = Duration::from_secs(3);

/// Updates the schema of the database, and declares the queues. Commands are spread over this number of partitions, or over the
/// same number as before.
///
/// # Errors
/// A server is unavailable, or a queue exists with other arguments.
pub async fn migrate(servers: &ServerSettings, count: Option<u16>) -> anyhow::Result<()> {
    // A connection outside the pool: statements of the pool have a time limit, and a migration may take longer.
    let mut database = PgConnection::connect(servers.database_url.expose_secret()).await?;
    db::MIGRATIONS.run(&mut database).await?;
    jobs::schedule_recurring(&mut database).await?;
    let connection = Broker::new(servers.amqp_url.expose_secret())?.connect("migrate").await?;
    declare_partitions(&mut database, &connection, &Topology::new(&servers.namespace), count).await?;
    bus::with_timeout(connection.close(200, "migrated".into())).await
}

/// Declares the queues, and then stores the partitions: the workers and the api use a queue only after that.
async fn declare_partitions(
    database: &mut PgConnection,
    broker: &lapin::Connection,
    topology: &Topology,
    count: Option<u16>,
) -> anyhow::Result<()> {
    let stored = sqlx::query_scalar!(r#"select exists (select from partitions) as "stored!""#);
    let is_new = !stored.fetch_one(&mut *database).await?;
    let before = partitions::count(&mut *database).await?;
    let count = count.unwrap_or(if is_new { PARTITIONS } else { before });
    topology.set_partitions(count);
    topology.declare(broker).await?;
    if !is_new && count > before {
        sleep(QUEUE_SETTLES).await;
    }
    let (domains, numbers): (Vec<_>, Vec<_>) =
        bus::partitions(count).map(|(domain, number)| (domain.to_owned(), i32::from(number))).unzip();
    sqlx::query!(
        "with current as (select domain, number from unnest($1::text[], $2::integer[]) as current (domain, number)),
              retired as (
                  update partitions set retired = true
                  where not exists (select from current
                                    where current.domain = partitions.domain and current.number = partitions.number)
              )
         insert into partitions (domain, number) select domain, number from current
         on conflict (domain, number) do update set retired = false",
        &domains,
        &numbers,
    )
    .execute(database)
    .await?;
    Ok(())
}
