//! Invalidations that wait for Redis.

use std::time::Duration;

use sqlx::PgPool;
use tokio::time::sleep;

use super::{lease::CacheLease, store::Cache};
use crate::{contract::cache_key::CacheKey, platform::db};

/// The maximum number of keys that one attempt invalidates.
const MAX_KEYS: i64 = 1000;

const RETRY_INTERVAL: Duration = Duration::from_millis(400);

impl Cache {
    /// Invalidates the keys of a committed change, before the reply to the command is sent.
    ///
    /// If Redis is unavailable, it stores the keys as pending and suspends the cache for all readers.
    ///
    /// # Errors
    /// Those of the database. Then no reply may be sent yet.
    pub async fn invalidate_or_suspend(&self, database: &PgPool, keys: &[CacheKey]) -> sqlx::Result<()> {
        if self.invalidate(keys).await.is_ok() {
            return Ok(());
        }
        let names: Vec<String> = keys.iter().map(ToString::to_string).collect();
        let mut transaction = db::begin(database).await?;
        // The lock excludes deletions: rows that the next statement sees must still exist at the commit.
        sqlx::query!("lock table pending_invalidations in share row exclusive mode")
            .execute(&mut *transaction)
            .await?;
        // A row older than the lease means that every reader has already stopped using the cache.
        let suspended = sqlx::query_scalar!(
            r#"select exists (select from pending_invalidations
                              where since < clock_timestamp() - make_interval(secs => $1)) as "suspended!""#,
            CacheLease::DURATION.as_secs_f64(),
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
        // The time is set after the commit, because readers cannot see the rows before. A commit may be slow.
        sqlx::query!(
            "update pending_invalidations set since = clock_timestamp() where key = any($1) and since is null",
            &names,
        )
        .execute(database)
        .await?;
        tracing::warn!(cache.keys = names.len(), "Redis unavailable, cache suspended");
        if !suspended {
            sleep(CacheLease::DURATION).await;
        }
        Ok(())
    }

    /// Whether no cached body contradicts a change with these keys. It invalidates the keys if it can.
    ///
    /// Readers call it when they find an outcome in the operation's row: the worker may have died before its invalidation.
    ///
    /// # Errors
    /// Those of the database.
    pub async fn is_invalidated(&self, database: &PgPool, keys: &[CacheKey]) -> sqlx::Result<bool> {
        if self.invalidate(keys).await.is_ok() {
            return Ok(true);
        }
        let names: Vec<String> = keys.iter().map(ToString::to_string).collect();
        sqlx::query_scalar!(
            r#"select not exists (
                   select from unnest($1::text[]) as stale (key)
                   where not exists (select from pending_invalidations pending where pending.key = stale.key
                                     and since < clock_timestamp() - make_interval(secs => $2))
               ) as "invalidated!""#,
            &names,
            CacheLease::DURATION.as_secs_f64(),
        )
        .fetch_one(database)
        .await
    }

    /// Retries pending invalidations for as long as the process runs.
    pub async fn retry_pending_invalidations(self, database: PgPool) {
        loop {
            match db::with_timeout(self.retry_once(&database)).await {
                Ok(MAX_KEYS..) => continue,
                Ok(0) => (),
                Ok(_) => tracing::info!("pending invalidations completed, cache in use again"),
                Err(error) => tracing::debug!(%error, "invalidations still pending"),
            }
            sleep(RETRY_INTERVAL).await;
        }
    }

    /// The number of keys that it found.
    async fn retry_once(&self, database: &PgPool) -> anyhow::Result<i64> {
        let rows =
            sqlx::query!("select key, pended_at from pending_invalidations order by key limit $1", MAX_KEYS)
                .fetch_all(database)
                .await?;
        if rows.is_empty() {
            return Ok(0);
        }
        let keys: Vec<CacheKey> = rows.iter().map(|row| CacheKey::from_stored(row.key.clone())).collect();
        self.invalidate(&keys).await?;
        let (names, times): (Vec<_>, Vec<_>) = rows.into_iter().map(|row| (row.key, row.pended_at)).unzip();
        // Only the rows that were read: a key that was stored again has a later time.
        sqlx::query!(
            "delete from pending_invalidations pending
             using unnest($1::text[], $2::timestamptz[]) as done (key, pended_at)
             where pending.key = done.key and pending.pended_at = done.pended_at",
            &names,
            &times,
        )
        .execute(database)
        .await?;
        Ok(names.len() as i64)
    }
}
