//! When the cache may be read at all.
//!
//! A worker that cannot reach Redis after a commit leaves the keys in the table
//! `pending_invalidations` and waits [`LEASE`] before it answers. A reader looks at that
//! table more often than that, and reads the cache only while its last look, no
//! older than the lease, found the table empty. So when the write is answered no
//! reader trusts the cache any more, whatever Redis still holds, and all do again
//! once the keys were removed.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use sqlx::{Connection, PgConnection, PgPool};
use tokio::time::{sleep, timeout};

use super::{Cache, Key};
use crate::db;

/// How long one look at the table is good for.
pub const LEASE: Duration = Duration::from_secs(2);

const LOOK_EVERY: Duration = Duration::from_millis(400);

/// A lease on the cache, renewed from Postgres.
#[derive(Debug, Clone)]
pub struct Trust {
    start: Instant,
    /// Milliseconds since `start`.
    until: Arc<AtomicU64>,
}

impl Default for Trust {
    fn default() -> Self {
        Self { start: Instant::now(), until: Arc::default() }
    }
}

impl Trust {
    #[must_use]
    pub fn stands(&self) -> bool {
        self.start.elapsed() < Duration::from_millis(self.until.load(Ordering::Acquire))
    }

    fn renew(&self, looked: Instant) {
        let until = looked.duration_since(self.start) + LEASE;
        self.until.store(until.as_millis() as u64, Ordering::Release);
    }

    fn end(&self) {
        self.until.store(0, Ordering::Release);
    }

    /// Keeps the lease for as long as the process lives. On a connection of its own: a
    /// busy pool must not turn into distrust and that into more load.
    pub async fn keep(self, database: PgPool) {
        loop {
            let options = database.connect_options();
            if let Ok(Ok(mut connection)) = timeout(LEASE, PgConnection::connect_with(&options)).await {
                while self.look(&mut connection).await.is_some() {
                    sleep(LOOK_EVERY).await;
                }
                tracing::warn!("Postgres does not vouch for the cache");
            }
            sleep(LOOK_EVERY).await;
        }
    }

    async fn look(&self, connection: &mut PgConnection) -> Option<()> {
        let looked = Instant::now();
        let pending =
            sqlx::query_scalar!(r#"select exists (select from pending_invalidations) as "pending!""#);
        match timeout(LEASE, pending.fetch_one(connection)).await {
            Ok(Ok(false)) => self.renew(looked),
            Ok(Ok(true)) => self.end(),
            Ok(Err(_)) | Err(_) => return None,
        }
        Some(())
    }
}

impl Cache {
    /// Removes what a committed change made stale, before anybody is told of the change.
    /// If Redis is away: makes sure that nobody reads the cache until it is done.
    ///
    /// # Errors
    /// The database's: then the change must not be answered yet.
    pub async fn settle(&self, database: &PgPool, keys: &[Key]) -> sqlx::Result<()> {
        if self.invalidate(keys).await.is_ok() {
            return Ok(());
        }
        let names: Vec<String> = keys.iter().map(ToString::to_string).collect();
        let mut transaction = db::begin(database).await?;
        // Not beside a deletion: what is seen next must still stand when this commits.
        sqlx::query!("lock table pending_invalidations in share row exclusive mode")
            .execute(&mut *transaction)
            .await?;
        // A row that has stood longer than the lease: nobody trusts the cache any more.
        let distrusted = sqlx::query_scalar!(
            r#"select exists (select from pending_invalidations
                              where since < clock_timestamp() - make_interval(secs => $1)) as "distrusted!""#,
            LEASE.as_secs_f64(),
        )
        .fetch_one(&mut *transaction)
        .await?;
        sqlx::query!(
            "insert into pending_invalidations (key) select distinct unnest($1::text[])
             on conflict (key) do update set pended_at = excluded.pended_at",
            &names,
        )
        .execute(&mut *transaction)
        .await?;
        transaction.commit().await?;
        // Only now, because until then nobody could see it; a commit may take its time.
        sqlx::query!(
            "update pending_invalidations set since = clock_timestamp() where key = any($1) and since is null",
            &names,
        )
        .execute(database)
        .await?;
        tracing::warn!(cache.keys = names.len(), "Redis is away, the cache is suspended");
        if !distrusted {
            sleep(LEASE).await;
        }
        Ok(())
    }

    /// For a reader that learnt of a change from its row: whether no cached answer can
    /// contradict it any more. Removes what it can itself.
    ///
    /// # Errors
    /// The database's.
    pub async fn is_settled(&self, database: &PgPool, keys: &[Key]) -> sqlx::Result<bool> {
        if self.invalidate(keys).await.is_ok() {
            return Ok(true);
        }
        let names: Vec<String> = keys.iter().map(ToString::to_string).collect();
        sqlx::query_scalar!(
            r#"select not exists (
                   select from unnest($1::text[]) as stale (key)
                   where not exists (select from pending_invalidations pending where pending.key = stale.key
                                     and since < clock_timestamp() - make_interval(secs => $2))
               ) as "settled!""#,
            &names,
            LEASE.as_secs_f64(),
        )
        .fetch_one(database)
        .await
    }

    /// Does what was left pending, for as long as the process lives.
    pub async fn catch_up(self, database: PgPool) {
        loop {
            sleep(LOOK_EVERY).await;
            if let Err(error) = db::within(self.catch_up_once(&database)).await {
                tracing::debug!(%error, "invalidations are still pending");
            }
        }
    }

    async fn catch_up_once(&self, database: &PgPool) -> anyhow::Result<()> {
        let rows =
            sqlx::query!("select key, pended_at from pending_invalidations").fetch_all(database).await?;
        if rows.is_empty() {
            return Ok(());
        }
        let keys: Vec<Key> = rows.iter().map(|row| Key::stored(row.key.clone())).collect();
        self.invalidate(&keys).await?;
        let (names, times): (Vec<_>, Vec<_>) = rows.into_iter().map(|row| (row.key, row.pended_at)).unzip();
        // Only what was read: a key that was pended again has a later time.
        sqlx::query!(
            "delete from pending_invalidations pending
             using unnest($1::text[], $2::timestamptz[]) as done (key, pended_at)
             where pending.key = done.key and pending.pended_at = done.pended_at",
            &names,
            &times,
        )
        .execute(database)
        .await?;
        tracing::info!(cache.keys = names.len(), "pending invalidations done, the cache is trusted again");
        Ok(())
    }
}
