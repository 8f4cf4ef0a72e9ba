//! The job that deletes old operations.

use std::time::{Duration, Instant};

use anyhow::ensure;
use chrono::{DateTime, TimeDelta, Utc};
use sqlx::PgPool;
use tokio::time::sleep;

/// The rows that one attempt of the job deletes.
const ROWS: i64 = 5000;

/// A running job is due again at the end of its lease.
const LEASE: TimeDelta = TimeDelta::seconds(30);

const TIME_LIMIT: Duration = Duration::from_secs(120);

/// The precision of the measurement.
const POLL_INTERVAL: Duration = Duration::from_millis(1);

/// Makes 5,000 operations old enough, and measures the attempt that deletes them: from its claim until its result is stored.
///
/// # Errors
/// When the job does not run in time.
pub(super) async fn milliseconds(database: &PgPool) -> anyhow::Result<f64> {
    // The ids are random, so the rows are on many pages, as after a month of traffic.
    sqlx::query(
        "update operations set applied_at = now() - interval '40 days'
         where operation_id in (select operation_id from operations order by operation_id limit $1)",
    )
    .bind(ROWS)
    .execute(database)
    .await?;
    let scheduled: DateTime<Utc> = sqlx::query_scalar(
        "update jobs set due_at = now() where job->>'name' = 'purge_operations' returning due_at",
    )
    .fetch_one(database)
    .await?;
    let leased_until = wait_for_change(database, scheduled).await?;
    let ended = wait_for_change(database, leased_until).await?;
    let left: i64 =
        sqlx::query_scalar("select count(*) from operations where applied_at < now() - interval '39 days'")
            .fetch_one(database)
            .await?;
    ensure!(left == 0, "the purge has left {left} operations");
    // After a full attempt, the job is due immediately.
    Ok((ended - (leased_until - LEASE)).as_seconds_f64() * 1000.0)
}

/// Waits until the job is due at another time, and returns that time.
async fn wait_for_change(database: &PgPool, known: DateTime<Utc>) -> anyhow::Result<DateTime<Utc>> {
    let started = Instant::now();
    loop {
        let due_at: DateTime<Utc> =
            sqlx::query_scalar("select due_at from jobs where job->>'name' = 'purge_operations'")
                .fetch_one(database)
                .await?;
        if due_at != known {
            return Ok(due_at);
        }
        ensure!(started.elapsed() < TIME_LIMIT, "the purge of operations does not run");
        sleep(POLL_INTERVAL).await;
    }
}
