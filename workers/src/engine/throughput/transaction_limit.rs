//! How many transactions apply commands at the same time in this worker, and their connections.
//!
//! Few of them have many commands each, which costs less. But a transaction that waits for a distant database uses no processor
//! meanwhile, so then more of them are faster. Workers near the database share its processors with each other.

use std::{
    sync::Arc,
    thread::available_parallelism,
    time::{Duration, Instant},
};

use guildhall_common::platform::db;
use parking_lot::Mutex;
use sqlx::{PgPool, Postgres, pool::PoolConnection};
use tokio::sync::{AcquireError, OwnedSemaphorePermit, Semaphore};

use crate::app::App;

/// The database counts as distant from this time of a round trip on.
const LONG_ROUND_TRIP: Duration = Duration::from_micros(400);

/// The round trips that are measured. The shortest one counts, because the machine may be busy.
const ROUND_TRIPS: usize = 20;

/// The number of transactions at the same time.
#[derive(Clone)]
pub(crate) struct TransactionLimit {
    permits: Arc<Semaphore>,
    state: Arc<Mutex<LimitState>>,
    idle: IdleConnections,
}

/// The connections of the last transactions, with the time of their last use. The pool would test each of them after its use, with a
/// round trip, and take them in turn: then each transaction has another process of Postgres, whose memory is in no processor's cache.
type IdleConnections = Arc<Mutex<Vec<(PoolConnection<Postgres>, Instant)>>>;

/// Allows one transaction at a time.
pub(crate) struct TransactionPermit {
    _permit: OwnedSemaphorePermit,
    idle: IdleConnections,
}

struct LimitState {
    /// Never more than half of the connections to Postgres: the rest serves jobs, leases and the outbox.
    most: usize,
    /// None until it is measured.
    is_distant: Option<bool>,
    /// The present number of permits.
    number: usize,
}

impl TransactionLimit {
    /// The number depends on the processors, on the time of a round trip and on the other workers.
    pub(crate) fn of(app: &App) -> Self {
        Self::new(app.database.options().get_max_connections())
    }

    fn new(connections: u32) -> Self {
        let most = (connections / 2).max(1) as usize;
        let state = LimitState { most, is_distant: None, number: 0 };
        let limit = Self {
            permits: Arc::new(Semaphore::new(0)),
            state: Arc::new(Mutex::new(state)),
            idle: Arc::default(),
        };
        limit.share(1);
        limit
    }

    /// Waits until another transaction may begin.
    pub(crate) async fn acquire(&self) -> Result<TransactionPermit, AcquireError> {
        let permit = self.permits.clone().acquire_owned().await?;
        Ok(TransactionPermit { _permit: permit, idle: self.idle.clone() })
    }

    /// Adapts the number to the distance of the database, which is measured the first time, and to the number of living workers.
    ///
    /// # Errors
    /// Those of the database. The next call tries again.
    pub(crate) async fn adapt(&self, database: &PgPool, workers: usize) -> sqlx::Result<()> {
        let is_unknown = self.state.lock().is_distant.is_none();
        if is_unknown {
            let round_trip = shortest_round_trip(database).await?;
            self.state.lock().is_distant = Some(round_trip >= LONG_ROUND_TRIP);
            tracing::info!(round_trip_us = round_trip.as_micros(), "distance of the database measured");
        }
        self.share(workers);
        Ok(())
    }

    fn share(&self, workers: usize) {
        let mut state = self.state.lock();
        let wanted = state.wanted(workers);
        if wanted > state.number {
            self.permits.add_permits(wanted - state.number);
            state.number = wanted;
        } else {
            // Permits in use stay. The next call takes them.
            state.number -= self.permits.forget_permits(state.number - wanted);
        }
    }
}

impl TransactionPermit {
    /// The connection of the last transaction, or one of the pool. It is closed when it is dropped, and its transaction with it.
    ///
    /// # Errors
    /// Those of the database.
    pub(crate) async fn connection(&self, database: &PgPool) -> sqlx::Result<PoolConnection<Postgres>> {
        let idle = self.idle.lock().pop();
        if let Some((mut connection, used_at)) = idle
            && db::test(&mut connection, used_at.elapsed()).await.is_ok()
        {
            return Ok(connection);
        }
        let mut connection = database.acquire().await?;
        connection.close_on_drop();
        // To plan a statement again for each batch takes longer than to execute it: it finds rows by their keys.
        sqlx::query("set plan_cache_mode = force_generic_plan").execute(&mut *connection).await?;
        Ok(connection)
    }

    /// Keeps the connection for the next transaction, unless the pool has no other: jobs and leases need one, too. It must have no open
    /// transaction.
    pub(crate) fn keep(&self, connection: PoolConnection<Postgres>, database: &PgPool) {
        if database.options().get_max_connections() > 1 {
            self.idle.lock().push((connection, Instant::now()));
        }
    }
}

impl LimitState {
    fn wanted(&self, workers: usize) -> usize {
        if self.is_distant == Some(true) {
            return self.most;
        }
        let processors = available_parallelism().map_or(1, usize::from);
        (processors / workers.max(1)).clamp(1, self.most)
    }
}

async fn shortest_round_trip(database: &PgPool) -> sqlx::Result<Duration> {
    let mut connection = database.acquire().await?;
    let mut shortest = Duration::MAX;
    for _ in 0..ROUND_TRIPS {
        let started = Instant::now();
        sqlx::query("select 1").execute(&mut *connection).await?;
        shortest = shortest.min(started.elapsed());
    }
    Ok(shortest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_of_the_connections_is_the_most() {
        let permits = |connections| {
            let limit = TransactionLimit::new(connections);
            limit.state.lock().is_distant = Some(true);
            limit.share(1);
            limit.permits.available_permits()
        };
        assert_eq!(permits(16), 8);
        assert_eq!(permits(2), 1);
        assert_eq!(permits(1), 1);
    }

    #[tokio::test]
    async fn workers_share_the_processors_of_a_near_database() {
        let limit = TransactionLimit::new(16);
        let alone = limit.permits.available_permits();
        let permits = limit.acquire().await.unwrap();
        limit.share(1000);
        // The one in use stays until it is free.
        drop(permits);
        limit.share(1000);
        assert_eq!(limit.permits.available_permits(), 1);
        limit.share(1);
        assert_eq!(limit.permits.available_permits(), alone);
        limit.state.lock().is_distant = Some(true);
        limit.share(1000);
        assert_eq!(limit.permits.available_permits(), 8);
    }
}
