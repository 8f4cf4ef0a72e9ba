//! The number of partitions, and how long commands wait in their queues.

use std::{collections::HashMap, sync::Arc, time::Duration};

use parking_lot::RwLock;

use sqlx::{PgExecutor, PgPool};
use tokio::time::sleep;

use crate::platform::{bus::Topology, db};

const READ_INTERVAL: Duration = Duration::from_secs(2);

/// The number of partitions over which the commands of a domain are spread.
///
/// # Errors
/// Those of the database.
pub async fn count(database: impl PgExecutor<'_>) -> sqlx::Result<u16> {
    let highest = sqlx::query_scalar!(r#"select max(number) from partitions where not retired"#);
    let highest = highest.fetch_one(database).await?.unwrap_or_default();
    Ok(u16::try_from(highest).unwrap_or_default().max(1))
}

/// How long new commands wait, by queue. The workers compute it.
#[derive(Clone, Default)]
pub struct QueueWaits(Arc<RwLock<HashMap<String, Duration>>>);

impl QueueWaits {
    /// The wait in a queue.
    #[must_use]
    pub fn wait_in(&self, queue: &str) -> Duration {
        self.0.read().get(queue).copied().unwrap_or_default()
    }
}

/// Reads the number of partitions and the waits again and again, for as long as the process runs.
///
/// Until the number is known, commands go to the first partition of their domain, which always exists.
pub async fn follow(topology: Topology, waits: QueueWaits, database: PgPool) {
    loop {
        if let Err(error) = db::with_timeout(read(&topology, &waits, &database)).await {
            tracing::debug!(error = format!("{error:#}"), "partitions not read");
        }
        sleep(READ_INTERVAL).await;
    }
}

async fn read(topology: &Topology, waits: &QueueWaits, database: &PgPool) -> sqlx::Result<()> {
    topology.set_partitions(count(database).await?);
    // A worker that has died left its last waits.
    let rows = sqlx::query!(
        "select domain, number, wait_seconds from partitions join workers using (worker_id)
         where wait_seconds > 0 and alive_until > clock_timestamp()"
    );
    let rows = rows.fetch_all(database).await?.into_iter().filter_map(|row| {
        let queue = topology.partition(&row.domain, u16::try_from(row.number).ok()?);
        Some((queue, Duration::from_secs(row.wait_seconds.unsigned_abs().into())))
    });
    *waits.0.write() = rows.collect();
    Ok(())
}
