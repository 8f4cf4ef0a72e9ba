//! What goes wrong with Postgres.

use std::time::{Duration, Instant};

use anyhow::ensure;
use guildhall_common::platform::db;
use rand::{rngs::StdRng, seq::IteratorRandom};
use sqlx::{Connection, PgConnection, PgPool};
use tokio::time::sleep;

use crate::stack::Stack;

/// More than a statement takes at most, waiting for locks or not: 4 s and 5 s.
const LOCKED: Duration = Duration::from_millis(5500);

/// https://www.postgresql.org/docs/current/errcodes-appendix.html
const TOO_MANY_CONNECTIONS: &str = "53300";

pub(super) async fn close(database: &PgPool) -> anyhow::Result<()> {
    let closed = sqlx::query(
        "select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'guildhall-%'",
    )
    .execute(database)
    .await?;
    ensure!(closed.rows_affected() > 0, "Postgres knows no connection of the site's");
    Ok(())
}

pub(super) async fn no_connections(database: &PgPool, lasts: Duration) -> anyhow::Result<()> {
    let url = Stack::setting("GUILDHALL_DATABASE_URL")?;
    let (mut held, mut refused) = (Vec::new(), false);
    let began = Instant::now();
    close(database).await?;
    while began.elapsed() < lasts || !refused {
        match PgConnection::connect(&url).await {
            Ok(connection) => held.push(connection),
            Err(sqlx::Error::Database(error)) if error.code().as_deref() == Some(TOO_MANY_CONNECTIONS) => {
                refused = true;
                sleep(Duration::from_millis(10)).await;
            }
            Err(error) => return Err(error.into()),
        }
    }
    for connection in held {
        connection.close().await?;
    }
    Ok(())
}

pub(super) async fn locks(database: &PgPool, random: &mut StdRng) -> anyhow::Result<()> {
    // One table each: whoever held one and waited for another could be in a deadlock.
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
    sleep(LOCKED).await;
    transaction.rollback().await?;
    Ok(())
}

pub(super) async fn timeouts(database: &PgPool, lasts: Duration) -> anyhow::Result<()> {
    let began = Instant::now();
    while began.elapsed() < lasts {
        // A cancelled statement ends with the error of one that took too long: 57014.
        sqlx::query(
            "select pg_cancel_backend(pid) from pg_stat_activity
             where application_name like 'guildhall-%' and state = 'active'",
        )
        .execute(database)
        .await?;
    }
    Ok(())
}
