//! The cache as one process uses it, and its invalidation.

use std::sync::Arc;

use redis::aio::MultiplexedConnection;
use tokio::{runtime::Handle, time::timeout};

use super::{
    connection::{CacheUnavailable, REPLY_TIMEOUT, RedisConnections},
    lease::CacheLease,
    loads::{Loads, ReadCounters},
};
use crate::contract::cache_key::CacheKey;

/// The maximum number of keys that one request removes. Each request has the same time limit.
const MAX_UNLINKED: usize = 1000;

/// The cache, as one process uses it.
#[derive(Clone)]
pub struct Cache {
    connections: RedisConnections,
    namespace: Arc<str>,
    pub(super) lease: CacheLease,
    pub(super) loads: Loads,
    pub(super) reads: ReadCounters,
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
            loads: Loads::default(),
            reads: ReadCounters::default(),
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
