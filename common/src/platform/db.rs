//! The connection pool for Postgres.

use std::{io, time::Duration};

use anyhow::Context;
use sqlx::{
    PgPool, PgTransaction,
    postgres::{PgConnectOptions, PgPoolOptions},
};
use tokio::time::timeout;

/// The migrations, embedded in the binaries.
pub static MIGRATIONS: sqlx::migrate::Migrator = sqlx::migrate!("../migrations");

/// The time limit for several statements. Each statement also has its own limit on the server.
const TIMEOUT: Duration = Duration::from_secs(15);

/// Creates a pool. It does not connect yet, so that a process starts while Postgres is unavailable.
///
/// Every statement, every idle transaction and every wait for a connection has a time limit, because sqlx sets none.
///
/// # Errors
/// The URL is not a Postgres URL.
pub fn pool(url: &str, connections: u32, role: &str) -> anyhow::Result<PgPool> {
    let options: PgConnectOptions = url.parse().context("the URL of the database")?;
    let options = options.application_name(role).options([
        ("statement_timeout", "5s"),
        ("lock_timeout", "4s"),
        ("idle_in_transaction_session_timeout", "10s"),
        // They detect a peer that disappeared without closing its connections.
        ("tcp_keepalives_idle", "10"),
        ("tcp_keepalives_interval", "5"),
        ("tcp_keepalives_count", "3"),
    ]);
    Ok(PgPoolOptions::new()
        .max_connections(connections)
        .acquire_timeout(Duration::from_secs(3))
        .connect_lazy_with(options))
}

/// Begins a transaction, in a task that is never dropped.
///
/// If a caller is dropped while it waits for `BEGIN`, sqlx 0.9.0 returns the connection to the pool with the transaction
/// open. The next user's writes are then rolled back (<https://github.com/transact-rs/sqlx/issues/4393>).
///
/// # Errors
/// Those of the database.
#[expect(clippy::disallowed_methods, reason = "this task is never dropped before it ends")]
pub async fn begin(database: &PgPool) -> sqlx::Result<PgTransaction<'static>> {
    let database = database.clone();
    tokio::spawn(async move { database.begin().await }).await.map_err(io::Error::from)?
}

/// Limits the time of work on the database. A machine that stopped responding does not enforce its own limits.
///
/// # Errors
/// Those of the work, and [`Elapsed`](tokio::time::error::Elapsed) after 15 s.
pub async fn with_timeout<T, E: Into<anyhow::Error>>(
    work: impl Future<Output = Result<T, E>>,
) -> anyhow::Result<T> {
    timeout(TIMEOUT, work).await.context("the database took too long")?.map_err(Into::into)
}
