//! The pool of connections to Postgres.

use std::{io, time::Duration};

use anyhow::Context;
use sqlx::{
    PgPool, PgTransaction,
    postgres::{PgConnectOptions, PgPoolOptions},
};
use tokio::time::timeout;

/// The schema, embedded in the binaries.
pub static MIGRATIONS: sqlx::migrate::Migrator = sqlx::migrate!("../migrations");

/// For some statements at once, each of which has its own limit on the server.
const WITHIN: Duration = Duration::from_secs(15);

/// Opens a pool. Does not connect yet, so that a process starts while Postgres is away.
/// Every statement, idle transaction and wait for a connection has a time limit,
/// because a query by itself has none.
///
/// # Errors
/// When the URL is not one of Postgres.
pub fn pool(url: &str, connections: u32, role: &str) -> anyhow::Result<PgPool> {
    let options: PgConnectOptions = url.parse().context("the database's URL")?;
    let options = options.application_name(role).options([
        ("statement_timeout", "5s"),
        ("lock_timeout", "4s"),
        ("idle_in_transaction_session_timeout", "10s"),
        // A peer that is gone without a word is noticed within these.
        ("tcp_keepalives_idle", "10"),
        ("tcp_keepalives_interval", "5"),
        ("tcp_keepalives_count", "3"),
    ]);
    Ok(PgPoolOptions::new()
        .max_connections(connections)
        .acquire_timeout(Duration::from_secs(3))
        .connect_lazy_with(options))
}

/// Begins a transaction, in a task of its own: of a caller that is dropped while `BEGIN` is on its way sqlx 0.9.0 gives the connection
/// back with the transaction open, and what others then write on it is undone (<https://github.com/transact-rs/sqlx/issues/4393>).
///
/// # Errors
/// The database's.
#[expect(clippy::disallowed_methods, reason = "here it cannot be dropped half-way")]
pub async fn begin(database: &PgPool) -> sqlx::Result<PgTransaction<'static>> {
    let database = database.clone();
    tokio::spawn(async move { database.begin().await }).await.map_err(io::Error::from)?
}

/// Gives the database up that does not answer: a machine that fell silent does not even end its statements.
///
/// # Errors
/// Those of the work, and [`Elapsed`](tokio::time::error::Elapsed) after 15 s.
pub async fn within<T, E: Into<anyhow::Error>>(
    work: impl Future<Output = Result<T, E>>,
) -> anyhow::Result<T> {
    timeout(WITHIN, work).await.context("the database took too long")?.map_err(Into::into)
}
