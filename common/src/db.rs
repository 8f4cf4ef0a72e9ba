//! The pool of connections to Postgres.

use std::time::Duration;

use anyhow::Context;
use sqlx::{
    PgPool,
    postgres::{PgConnectOptions, PgPoolOptions},
};

/// The schema, embedded in the binaries.
pub static MIGRATIONS: sqlx::migrate::Migrator = sqlx::migrate!("../migrations");

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
