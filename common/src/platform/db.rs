//! The connection pool for Postgres.

use std::{io, time::Duration};

use anyhow::Context;
use sqlx::{
    ConnectOptions, Connection, Executor, PgConnection, PgPool, PgTransaction,
    postgres::{PgConnectOptions, PgPoolOptions},
};
use tokio::time::timeout;

/// The time limit for several statements. Each statement also has its own limit on the server.
const TIMEOUT: Duration = Duration::from_secs(15);

/// The longest wait for a connection.
const ACQUIRE_TIMEOUT: Duration = Duration::from_secs(3);

/// A connection that has been idle for longer is tested before its next use.
const UNTESTED: Duration = Duration::from_secs(1);

/// Creates a pool. It does not connect yet, so that a process starts while Postgres is unavailable.
///
/// Every statement, every idle transaction and every wait for a connection has a time limit, because sqlx sets none. Statements are not
/// logged, because those of batches contain the data of players.
///
/// # Errors
/// The URL is not a Postgres URL.
pub fn pool(url: &str, connections: u32, role: &str) -> anyhow::Result<PgPool> {
    Ok(connect_lazily(options(url, role)?.disable_statement_logging(), connections))
}

/// Creates a pool for reads of lists. Each query is planned for its filters, and follows an index in the order of the list.
///
/// A plan for all filters reads the whole table for a rare one. A bitmap of an index also does, if the rows of the page are not where the
/// statistics of the planner assume them.
///
/// # Errors
/// The URL is not a Postgres URL.
pub fn pool_for_lists(url: &str, connections: u32, role: &str) -> anyhow::Result<PgPool> {
    let options =
        options(url, role)?.options([("plan_cache_mode", "force_custom_plan"), ("enable_bitmapscan", "off")]);
    Ok(connect_lazily(options, connections))
}

fn options(url: &str, role: &str) -> anyhow::Result<PgConnectOptions> {
    let options: PgConnectOptions = url.parse().context("the URL of the database")?;
    Ok(options.application_name(role).options([
        ("statement_timeout", "5s"),
        ("lock_timeout", "4s"),
        ("idle_in_transaction_session_timeout", "10s"),
        // Rows are found by indexes. The planner would read a small table as a whole, and still do so when it has grown, until its next
        // statistics: on a new site, a check of a foreign key took 0.2 ms with 5,000 rows.
        ("enable_seqscan", "off"),
        // Without scans, a query that needs one seems so expensive that Postgres would compile it, which takes longer than the query.
        ("jit", "off"),
        // Literals of the workers have no escapes.
        ("standard_conforming_strings", "on"),
        // They detect a peer that disappeared without closing its connections.
        ("tcp_keepalives_idle", "10"),
        ("tcp_keepalives_interval", "5"),
        ("tcp_keepalives_count", "3"),
    ]))
}

/// Keeps values out of the log of the server. After an error it would write the statement, which has the values of a batch, and the row.
/// Only superusers and roles with a privilege for these settings may change them.
const LOG_WITHOUT_VALUES: &str = "select set_config(name, setting, false)
    from (values ('log_min_error_statement', 'panic'), ('log_error_verbosity', 'terse')) as settings (name, setting)
    where has_parameter_privilege(name, 'SET')";

/// Whether the role may keep values out of the log of the server.
///
/// # Errors
/// Those of the database.
pub async fn may_log_without_values(database: &mut PgConnection) -> sqlx::Result<bool> {
    let statement = "select has_parameter_privilege('log_min_error_statement', 'SET')
                        and has_parameter_privilege('log_error_verbosity', 'SET')";
    sqlx::query_scalar(statement).fetch_one(database).await
}

fn connect_lazily(options: PgConnectOptions, connections: u32) -> PgPool {
    PgPoolOptions::new()
        .after_connect(|connection, _| {
            Box::pin(async move { connection.execute(sqlx::raw_sql(LOG_WITHOUT_VALUES)).await.map(drop) })
        })
        .max_connections(connections)
        .acquire_timeout(ACQUIRE_TIMEOUT)
        // By default each use of a connection begins with a round trip that only tests it.
        .test_before_acquire(false)
        .before_acquire(|connection, state| {
            Box::pin(async move { test(connection, state.idle_for).await.map(|()| true) })
        })
        .connect_lazy_with(options)
}

/// Tests a connection that has been idle for some time, because the server may have closed it. One that was in use a moment ago is
/// assumed to be open: if it is not, its next statement fails.
///
/// # Errors
/// The connection is closed, or the server does not respond.
pub async fn test(connection: &mut PgConnection, idle_for: Duration) -> sqlx::Result<()> {
    if idle_for < UNTESTED {
        return Ok(());
    }
    timeout(ACQUIRE_TIMEOUT, connection.ping()).await.map_err(io::Error::from)?
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

/// Whether further attempts cannot succeed, because the query or the data is wrong and not the database.
#[must_use]
pub fn is_permanent(error: &sqlx::Error) -> bool {
    match error {
        sqlx::Error::Database(error) => is_permanent_code(error.code().as_deref().unwrap_or_default()),
        // `Protocol` is not among them: sqlx also returns it when a proxy closes the connection while the database is down.
        sqlx::Error::InvalidArgument(_)
        | sqlx::Error::Encode(_)
        | sqlx::Error::Decode(_)
        | sqlx::Error::ColumnDecode { .. }
        | sqlx::Error::ColumnNotFound(_)
        | sqlx::Error::TypeNotFound { .. }
        | sqlx::Error::RowNotFound => true,
        _ => false,
    }
}

/// By the class of the SQLSTATE: wrong data, a constraint or trigger without a rule for it, a wrong query, or a limit of the
/// program exceeded (<https://www.postgresql.org/docs/current/errcodes-appendix.html>).
fn is_permanent_code(code: &str) -> bool {
    ["21", "22", "23", "42", "54", "P0"].iter().any(|class| code.starts_with(class))
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

/// The text with a replacement character for each NUL, which Postgres does not accept in a text.
#[must_use]
pub fn without_nul(text: &str) -> String {
    text.replace('\0', "\u{fffd}")
}

#[cfg(test)]
mod tests {
    use super::is_permanent_code;

    #[test]
    fn only_errors_of_query_and_data_are_permanent() {
        for code in ["23505", "22P02", "42703", "P0001"] {
            assert!(is_permanent_code(code), "{code}");
        }
        for code in ["57014", "57P01", "40001", "53300", "08006", ""] {
            assert!(!is_permanent_code(code), "{code}");
        }
    }
}
