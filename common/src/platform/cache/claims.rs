//! Values that are stored once for all processes, until they expire.

use std::{sync::LazyLock, time::Duration};

use redis::Script;

use super::{connection::CacheUnavailable, store::Cache};
use crate::contract::cache_key::CacheKey;

impl Cache {
    /// The value that a process has stored under this key, if it has not expired.
    ///
    /// # Errors
    /// Redis does not reply.
    pub async fn claimed_by(&self, key: &CacheKey) -> Result<Option<String>, CacheUnavailable> {
        let mut get = redis::cmd("GET");
        get.arg(self.redis_key(key));
        self.request(async |mut connection| get.query_async(&mut connection).await).await
    }

    /// Stores a value under this key, unless there is one. Returns the value that is stored now.
    ///
    /// # Errors
    /// Redis did not confirm it. The value may be stored.
    pub async fn claim(
        &self,
        key: &CacheKey,
        value: &str,
        lifetime: Duration,
    ) -> Result<String, CacheUnavailable> {
        // Redis before 7.0 does not support SET with both NX and GET.
        static CLAIM: LazyLock<Script> = LazyLock::new(|| {
            Script::new(
                "redis.call('set', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2])
                 return redis.call('get', KEYS[1])",
            )
        });
        let mut call = CLAIM.prepare_invoke();
        call.key(self.redis_key(key)).arg(value).arg(lifetime.as_millis() as u64);
        self.request(async |mut connection| call.invoke_async(&mut connection).await).await
    }
}
