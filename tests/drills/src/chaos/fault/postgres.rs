//! Faults of Postgres.

use std::time::{Duration, Instant};

use anyhow::ensure;
use guildhall_common::platform::db;
use guildhall_testkit::environment::setting;
use rand::{rngs::StdRng, seq::IteratorRandom};
use sqlx::{Connection, PgConnection, PgPool};
use tokio::time::sleep;

/// Longer than the limits of a statement: 4 s for a lock, 5 s in total.
const LOCK_DURATION: Duration = Duration::from_millis(5500);

/// https://www.postgresql.org/docs/current/errcodes-appendix.html
const TOO_MANY_CONNECTIONS: &str = "53300";

pub(super) async fn close(database: &PgPool) -> anyhow::Result<()> {
    let closed = sqlx::query(
        "select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'guildhall-%'",
    )
    .execute(database)
    .await?;
    ensure!(closed.rows_affected() > 0, "Postgres has no connection of the site");
    Ok(())
}

pub(super) async fn no_connections(database: &PgPool, duration: Duration) -> anyhow::Result<()> {
    let url = setting("GUILDHALL_DATABASE_URL")?;
    let (mut connections, mut is_refused) = (Vec::new(), false);
    let started = Instant::now();
    close(database).await?;
    while started.elapsed() < duration || !is_refused {
        match PgConnection::connect(&url).await {
            Ok(connection) => connections.push(connection),
            Err(sqlx::Error::Database(error)) if error.code().as_deref() == Some(TOO_MANY_CONNECTIONS) => {
                is_refused = true;
                sleep(Duration::from_millis(10)).await;
            }
            Err(error) => return Err(error.into()),
        }
    }
    for connection in connections {
        connection.close().await?;
    }
    Ok(())
}

pub(super) async fn locks(database: &PgPool, random: &mut StdRng) -> anyhow::Result<()> {
    // One table only: two locks could cause a deadlock.
    let locks = [
        "lock table operations in access exclusive mode",
        "lock table guilds in share mode",
        "lock table guild_members in share mode",
        "lock table coin_accounts in exclusive mode",
        "lock table shop_offers in access exclusive mode",
        "lock table jobs in exclusive mode",
    ];
    let mut transaction = db::begin(database).await?;
    let lock = locks.into_iter().choose(random).unwrap_or_default();
    sqlx::query(lock).execute(&mut *transaction).await?;
    sleep(LOCK_DURATION).await;
    transaction.rollback().await?;
    Ok(())
}

pub(super) async fn timeouts(database: &PgPool, duration: Duration) -> anyhow::Result<()> {
    let started = Instant::now();
    while started.elapsed() < duration {
        // A cancelled statement has the same error as a timeout: 57014.
        sqlx::query(
            "select pg_cancel_backend(pid) from pg_stat_activity
             where application_name like 'guildhall-%' and state = 'active'",
        )
        .execute(database)
        .await?;
    }
    Ok(())
}
