//! Reads cached bodies, and fills the cache with those that are missing.

use std::{sync::LazyLock, time::Duration};

use redis::Script;
use tokio::time::timeout;

use super::{body::CachedBody, connection::CacheUnavailable, loads::Load, store::Cache};
use crate::contract::cache_key::CacheKey;

/// The longest wait for a load from the database: for a connection and a statement.
const LOAD_TIMEOUT: Duration = Duration::from_secs(8);

/// The maximum number of bodies under one key. Further ones, mostly searches, are not stored.
const MAX_FIELDS: usize = 500;

/// A response that is cached: its key and its time to live.
pub trait Cacheable: Send + Sync {
    /// The longest time in the cache, without any invalidation.
    const TTL: Duration;

    fn key(&self) -> CacheKey;

    /// Distinguishes bodies under the same key, such as the pages of a list.
    fn field(&self) -> String {
        "-".to_owned()
    }
}

impl Cache {
    /// Returns the cached body, or loads it. Requests that miss at the same time share one load.
    ///
    /// # Errors
    /// Those of the load, and a database error when the load takes more than 8 s. An unavailable cache is not an error.
    pub async fn get_or_load<V, E>(
        &self,
        view: &V,
        load: impl AsyncFnOnce() -> Result<CachedBody, E>,
    ) -> Result<CachedBody, E>
    where
        V: Cacheable,
        E: From<sqlx::Error>,
    {
        let (key, field) = (self.redis_key(&view.key()), view.field());
        match self.look_up(&key, &field).await {
            Ok(Some(body)) => {
                self.reads.hit.increment(1);
                Ok(body)
            }
            // Loads need large futures. They are boxed, so that each hit copies only a small one.
            Ok(None) => Box::pin(self.load_missing(key, field, V::TTL, load)).await,
            Err(CacheUnavailable) => Box::pin(self.load_uncached(load)).await,
        }
    }

    /// Loads a body, and stores it.
    async fn load_missing<E: From<sqlx::Error>>(
        &self,
        key: String,
        field: String,
        ttl: Duration,
        load: impl AsyncFnOnce() -> Result<CachedBody, E>,
    ) -> Result<CachedBody, E> {
        let Ok(token) = self.token(&key, ttl).await else { return self.load_uncached(load).await };
        self.reads.miss.increment(1);
        // Sharing a load is safe: this read saw the same token, so nothing was invalidated since the load started.
        let this_load = (key, field, token);
        let shared = self.loads.join(&this_load);
        shared
            .body
            .get_or_try_init(|| async {
                // Other requests wait for this load, so it has a time limit.
                let body = timeout(LOAD_TIMEOUT, load()).await.map_err(|_| sqlx::Error::PoolTimedOut)??;
                self.fill(&this_load, &body).await;
                Ok(body)
            })
            .await
            .cloned()
    }

    /// Loads a body while the cache is unavailable.
    async fn load_uncached<E>(
        &self,
        load: impl AsyncFnOnce() -> Result<CachedBody, E>,
    ) -> Result<CachedBody, E> {
        self.reads.bypass.increment(1);
        load().await
    }

    async fn look_up(&self, key: &str, field: &str) -> Result<Option<CachedBody>, CacheUnavailable> {
        // The lease is checked before the read: a change whose reply was sent before this read began must be visible.
        if !self.lease.is_valid() {
            return Err(CacheUnavailable);
        }
        let mut read = redis::cmd("HGET");
        read.arg(key).arg(field);
        let body: Option<Vec<u8>> =
            self.request(async |mut connection| read.query_async(&mut connection).await).await?;
        Ok(body.and_then(CachedBody::from_bytes))
    }

    /// The token of the hash of a key: a body that is loaded from now on may be stored with it. Without a hash, it creates one with
    /// a new token.
    async fn token(&self, key: &str, ttl: Duration) -> Result<String, CacheUnavailable> {
        static CREATE: LazyLock<Script> = LazyLock::new(|| {
            Script::new(
                "if redis.call('hsetnx', KEYS[1], 'token', ARGV[1]) == 1 then redis.call('pexpire', KEYS[1], ARGV[2]) end
                 return redis.call('hget', KEYS[1], 'token')",
            )
        });
        let mut call = CREATE.prepare_invoke();
        call.key(key).arg(format!("{:032x}", rand::random::<u128>())).arg(ttl.as_millis() as u64);
        self.request(async |mut connection| call.invoke_async(&mut connection).await).await
    }

    async fn fill(&self, (key, field, token): &Load, body: &CachedBody) {
        static FILL: LazyLock<Script> = LazyLock::new(|| {
            Script::new(
                "if redis.call('hget', KEYS[1], 'token') ~= ARGV[2] then return 0 end
                 if redis.call('hlen', KEYS[1]) > tonumber(ARGV[4]) then return 0 end
                 return redis.call('hset', KEYS[1], ARGV[1], ARGV[3])",
            )
        });
        let mut call = FILL.prepare_invoke();
        call.key(key).arg(field).arg(token).arg(body.to_bytes()).arg(MAX_FIELDS);
        // A body that was not stored is loaded again by the next read.
        let _ = self.request(async |mut connection| call.invoke_async::<i64>(&mut connection).await).await;
    }
}
