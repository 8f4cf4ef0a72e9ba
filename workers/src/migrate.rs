//! The migration of a site: the schema of the database, the recurring jobs and the queues.

use guildhall_common::platform::{
    bus::{self, Broker, Topology},
    config::ServerSettings,
    db,
};
use secrecy::ExposeSecret;
use sqlx::{Connection, PgConnection};

use crate::{engine::partitions, jobs};

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
    partitions::set_number(&mut database, &connection, &Topology::new(&servers.namespace), count, true)
        .await?;
    bus::with_timeout(connection.close(200, "migrated".into())).await
}
