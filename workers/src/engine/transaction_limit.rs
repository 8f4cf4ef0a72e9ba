//! How many transactions apply commands at the same time in this worker.
//!
//! Few of them have many commands each, which costs less. But a transaction that waits for a distant database uses no processor
//! meanwhile, so then more of them are faster.

use std::{
    num::NonZeroUsize,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering::Relaxed},
    },
    thread::available_parallelism,
    time::{Duration, Instant},
};

use sqlx::PgPool;
use tokio::sync::{AcquireError, OwnedSemaphorePermit, Semaphore};

/// The database counts as distant from this time of a round trip on.
const LONG_ROUND_TRIP: Duration = Duration::from_micros(400);

/// The round trips that are measured. The shortest one counts, because the machine may be busy.
const ROUND_TRIPS: usize = 20;

/// The number of transactions at the same time.
#[derive(Clone)]
pub(crate) struct TransactionLimit {
    permits: Arc<Semaphore>,
    /// As many more are allowed if the database is distant. 0 as soon as this is decided.
    undecided: Arc<AtomicUsize>,
}

impl TransactionLimit {
    /// This number, or by default one that depends on the processors and on the time of a round trip. It is never more than half of
    /// the connections to Postgres: the rest serves jobs, leases and the outbox.
    pub(crate) fn new(number: Option<NonZeroUsize>, connections: u32) -> Self {
        let most = (connections / 2).max(1) as usize;
        let processors = || available_parallelism().map_or(1, usize::from);
        let first = number.map_or_else(processors, NonZeroUsize::get).min(most);
        let undecided = if number.is_none() { most - first } else { 0 };
        Self { permits: Arc::new(Semaphore::new(first)), undecided: Arc::new(undecided.into()) }
    }

    /// Waits until another transaction may begin.
    pub(crate) async fn acquire(&self) -> Result<OwnedSemaphorePermit, AcquireError> {
        self.permits.clone().acquire_owned().await
    }

    /// Measures the round trip to the database, the first time, and allows more transactions if it is long.
    ///
    /// # Errors
    /// Those of the database. The next call tries again.
    pub(crate) async fn adapt(&self, database: &PgPool) -> sqlx::Result<()> {
        if self.undecided.load(Relaxed) == 0 {
            return Ok(());
        }
        let mut connection = database.acquire().await?;
        let mut shortest = Duration::MAX;
        for _ in 0..ROUND_TRIPS {
            let started = Instant::now();
            sqlx::query("select 1").execute(&mut *connection).await?;
            shortest = shortest.min(started.elapsed());
        }
        let more = self.undecided.swap(0, Relaxed);
        if shortest >= LONG_ROUND_TRIP {
            self.permits.add_permits(more);
        }
        let transactions = self.permits.available_permits();
        tracing::info!(
            transactions,
            round_trip_us = shortest.as_micros(),
            "limit of transactions at the same time"
        );
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_of_the_connections_is_the_most() {
        let permits = |number, connections| {
            TransactionLimit::new(NonZeroUsize::new(number), connections).permits.available_permits()
        };
        assert_eq!(permits(3, 16), 3);
        assert_eq!(permits(100, 16), 8);
        assert_eq!(permits(0, 2), 1);
        assert_eq!(permits(0, 1), 1);
    }
}
