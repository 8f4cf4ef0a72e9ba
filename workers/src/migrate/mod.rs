//! The migration of a site: the schema of the database, the recurring jobs and the queues.

mod schema;
mod take_over;

use guildhall_common::{
    contract::DOMAINS,
    platform::{
        bus::{self, Broker, Topology},
        config::ServerSettings,
        db,
    },
};
use secrecy::ExposeSecret;
use sqlx::{ConnectOptions, PgConnection, postgres::PgConnectOptions};

use crate::{
    all_jobs::all_jobs,
    engine::{jobs, partitions},
};

pub use self::schema::update_schema;

/// Updates the schema of the database, and declares the queues. Commands are spread over this number of partitions, or over the
/// same number as before.
///
/// # Errors
/// A server is unavailable, or a queue exists with other arguments.
pub async fn migrate(servers: &ServerSettings, count: Option<u16>) -> anyhow::Result<()> {
    // Connections outside the pool: statements of the pool have a time limit, and a migration may take longer.
    let options: PgConnectOptions = servers.database_url.expose_secret().parse()?;
    update_schema(&options).await?;
    let mut database = options.connect().await?;
    if !db::may_log_without_values(&mut database).await? {
        let grant = "grant set on parameter log_min_error_statement, log_error_verbosity to";
        tracing::warn!(
            "after an error, the log of Postgres has values of players. To keep them out, run as a superuser: {grant} {}",
            options.get_username()
        );
    }
    jobs::schedule_recurring(&mut database, &all_jobs()).await?;
    let connection = Broker::new(servers.amqp_url.expose_secret())?.connect("migrate").await?;
    let topology = Topology::new(&servers.namespace);
    partitions::set_number(&mut database, &connection, &topology, count, true).await?;
    find_partitions(&mut database, &connection, &topology).await?;
    bus::with_timeout(connection.close(200, "migrated".into())).await
}

/// Stores the partitions that only RabbitMQ knows: their queues were declared after the backup that was restored. Workers apply
/// the commands in them. Nothing is published to them any more.
async fn find_partitions(
    database: &mut PgConnection,
    broker: &lapin::Connection,
    topology: &Topology,
) -> anyhow::Result<()> {
    for (domain, _) in DOMAINS.iter().filter(|(_, is_partitioned)| *is_partitioned) {
        let known = sqlx::query_scalar!("select max(number) from partitions where domain = $1", domain);
        let known = u16::try_from(known.fetch_one(&mut *database).await?.unwrap_or_default())?;
        let found = topology.last_existing(broker, domain, known).await?;
        sqlx::query!(
            "insert into partitions (domain, number, retired)
             select $1, number, true from generate_series($2::integer, $3::integer) as found (number)
             on conflict (domain, number) do nothing",
            domain,
            i32::from(known) + 1,
            i32::from(found),
        )
        .execute(&mut *database)
        .await?;
    }
    Ok(())
}
