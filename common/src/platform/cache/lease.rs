//! The lease that allows a process to read the cache.
//!
//! If a worker cannot reach Redis after a commit, it stores the keys in the table
//! `pending_invalidations` and waits for [`CacheLease::DURATION`] before it replies. A reader checks that
//! table more often than that. It reads the cache only while its last check is not older than the lease and found the
//! table empty. So no reader uses the cache when the reply to the command is sent. All readers use it
//! again when the keys are removed.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use sqlx::{Connection, PgConnection, PgPool};
use tokio::time::{sleep, timeout};

const CHECK_INTERVAL: Duration = Duration::from_millis(400);

/// The permission to read the cache for a short time. Checks of a table in Postgres renew it.
#[derive(Debug, Clone)]
pub struct CacheLease {
    start: Instant,
    /// Milliseconds since `start`.
    valid_until: Arc<AtomicU64>,
}

impl Default for CacheLease {
    fn default() -> Self {
        Self { start: Instant::now(), valid_until: Arc::default() }
    }
}

impl CacheLease {
    /// How long the lease is valid after a check.
    pub const DURATION: Duration = Duration::from_secs(2);

    #[must_use]
    pub fn is_valid(&self) -> bool {
        self.start.elapsed() < Duration::from_millis(self.valid_until.load(Ordering::Acquire))
    }

    fn renew(&self, checked_at: Instant) {
        let valid_until = checked_at.duration_since(self.start) + Self::DURATION;
        self.valid_until.store(valid_until.as_millis() as u64, Ordering::Release);
    }

    fn end(&self) {
        self.valid_until.store(0, Ordering::Release);
    }

    /// Renews the lease for as long as the process runs. It has its own connection: if it waited for a busy
    /// pool, the lease would end, and reads without the cache would add load.
    pub async fn keep_renewed(self, database: PgPool) {
        loop {
            let options = database.connect_options();
            let connecting = PgConnection::connect_with(&options);
            if let Ok(Ok(mut connection)) = timeout(Self::DURATION, connecting).await {
                while self.check(&mut connection).await.is_some() {
                    sleep(CHECK_INTERVAL).await;
                }
                tracing::warn!("cache lease not renewed: Postgres unreachable");
            }
            sleep(CHECK_INTERVAL).await;
        }
    }

    /// Renews the lease if no invalidation is pending, and ends it otherwise. None if Postgres does not respond.
    async fn check(&self, connection: &mut PgConnection) -> Option<()> {
        let checked_at = Instant::now();
        let pending =
            sqlx::query_scalar!(r#"select exists (select from pending_invalidations) as "pending!""#);
        match timeout(Self::DURATION, pending.fetch_one(connection)).await {
            Ok(Ok(false)) => self.renew(checked_at),
            Ok(Ok(true)) => self.end(),
            Ok(Err(_)) | Err(_) => return None,
        }
        Some(())
    }
}
