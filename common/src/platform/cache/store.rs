//! Reads, fills and invalidates cached bodies.

use std::{
    collections::HashMap,
    sync::{Arc, LazyLock},
    time::Duration,
};

use metrics::Counter;
use parking_lot::Mutex;
use redis::{Script, aio::MultiplexedConnection};
use tokio::{runtime::Handle, sync::OnceCell, time::timeout};

use super::{
    body::CachedBody,
    connection::{CacheUnavailable, REPLY_TIMEOUT, RedisConnections},
    lease::CacheLease,
};
use crate::contract::cache_key::CacheKey;

/// The longest wait for a load from the database: for a connection and a statement.
const LOAD_TIMEOUT: Duration = Duration::from_secs(8);

/// The maximum number of keys that one request removes. Each request has the same time limit.
const MAX_UNLINKED: usize = 1000;

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

/// One load in progress: the key, the field, and the token of the hash.
type Load = (String, String, String);

/// The cache, as one process uses it.
#[derive(Clone)]
pub struct Cache {
    connections: RedisConnections,
    namespace: Arc<str>,
    lease: CacheLease,
    loads: Arc<Mutex<HashMap<Load, Arc<OnceCell<CachedBody>>>>>,
    reads: Reads,
}

impl Cache {
    /// Starts the supervisor of the connection.
    ///
    /// # Errors
    /// The URL is not a Redis URL.
    pub fn start(url: &str, namespace: &str) -> anyhow::Result<Self> {
        Ok(Self {
            connections: RedisConnections::start(url)?,
            namespace: namespace.into(),
            lease: CacheLease::default(),
            loads: Arc::default(),
            reads: Reads::default(),
        })
    }

    /// The same cache with another connection, whose tasks this runtime has.
    #[must_use]
    pub fn with_connection_on(&self, runtime: &Handle) -> Self {
        Self { connections: self.connections.start_another(runtime), ..self.clone() }
    }

    /// The lease that allows reading the cache.
    #[must_use]
    pub fn lease(&self) -> &CacheLease {
        &self.lease
    }

    /// Whether Redis replies.
    #[must_use]
    pub fn is_connected(&self) -> bool {
        self.connections.get().is_ok()
    }

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
        let body = self.loads.lock().entry(this_load.clone()).or_default().clone();
        let guard = LoadGuard { cache: self, load: &this_load, body };
        guard
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

    /// Removes the keys for all processes.
    ///
    /// # Errors
    /// Redis did not confirm it.
    pub async fn invalidate(&self, keys: &[CacheKey]) -> Result<(), CacheUnavailable> {
        for keys in keys.chunks(MAX_UNLINKED) {
            let mut command = redis::cmd("UNLINK");
            for key in keys {
                command.arg(self.redis_key(key));
            }
            self.request(async |mut connection| command.query_async::<()>(&mut connection).await).await?;
        }
        Ok(())
    }

    /// Removes all bodies of the site, for all processes. A body that was loaded before this call is not stored after it. Claims stay:
    /// they are no copies of data in Postgres. It returns the number of removed keys.
    ///
    /// # Errors
    /// Redis did not confirm it.
    pub async fn clear(&self) -> Result<u64, CacheUnavailable> {
        // A backslash takes the meaning of a pattern from the next character.
        let namespace = self.namespace.chars().flat_map(|c| ['\\', c]).collect::<String>();
        let pattern = format!("{namespace}:*");
        let (mut cursor, mut removed) = (0_u64, 0);
        loop {
            let mut scan = redis::cmd("SCAN");
            scan.arg(cursor).arg("MATCH").arg(&pattern).arg("COUNT").arg(1000);
            // Bodies are in hashes, and claims are strings.
            scan.arg("TYPE").arg("hash");
            let (next, keys): (u64, Vec<Vec<u8>>) =
                self.request(async |mut connection| scan.query_async(&mut connection).await).await?;
            if !keys.is_empty() {
                let mut unlink = redis::cmd("UNLINK");
                unlink.arg(&keys);
                removed += self
                    .request(async |mut connection| unlink.query_async::<u64>(&mut connection).await)
                    .await?;
            }
            if next == 0 {
                return Ok(removed);
            }
            cursor = next;
        }
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

    pub(super) async fn request<T>(
        &self,
        call: impl AsyncFnOnce(MultiplexedConnection) -> redis::RedisResult<T>,
    ) -> Result<T, CacheUnavailable> {
        let connection = self.connections.get()?;
        match timeout(REPLY_TIMEOUT, call(connection)).await {
            Ok(Ok(reply)) => Ok(reply),
            Ok(Err(error)) => {
                tracing::warn!(%error, "Redis request failed");
                self.connections.recheck();
                Err(CacheUnavailable)
            }
            Err(_) => {
                tracing::warn!("Redis request timed out");
                self.connections.recheck();
                Err(CacheUnavailable)
            }
        }
    }

    pub(super) fn redis_key(&self, key: &CacheKey) -> String {
        format!("{}:{key}", self.namespace)
    }
}

/// One of the reads that share a load. The last one removes the load from the list, also when it is dropped before the load ends.
struct LoadGuard<'a> {
    cache: &'a Cache,
    load: &'a Load,
    body: Arc<OnceCell<CachedBody>>,
}

impl Drop for LoadGuard<'_> {
    fn drop(&mut self) {
        let mut loads = self.cache.loads.lock();
        // It is released under the lock, so that the last of several reads finds only the reference of the list.
        drop(std::mem::take(&mut self.body));
        if loads.get(self.load).is_some_and(|body| Arc::strong_count(body) == 1) {
            loads.remove(self.load);
        }
    }
}

/// How many reads had which result.
#[derive(Clone)]
struct Reads {
    hit: Counter,
    miss: Counter,
    /// The cache was unavailable.
    bypass: Counter,
}

impl Default for Reads {
    fn default() -> Self {
        let with_result = |result| metrics::counter!("guildhall_cache_reads_total", "result" => result);
        Self { hit: with_result("hit"), miss: with_result("miss"), bypass: with_result("bypass") }
    }
}
