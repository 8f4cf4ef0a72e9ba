//! The cache of finished answers in Redis.
//!
//! One hash holds everything that goes stale together: the answer of one guild,
//! or all pages of a list. Beside the answers it holds a token, made when the hash
//! was. A fill names the token it saw before it read the database and is refused
//! when that token is gone; an invalidation deletes the hash, token and all. So an
//! answer that was loaded before a change can never be stored after it.

mod connection;
mod trust;

use std::{
    collections::HashMap,
    fmt,
    future::Future,
    sync::{Arc, LazyLock, Mutex, PoisonError},
    time::Duration,
};

use bytes::Bytes;
use redis::{Script, aio::MultiplexedConnection};
use sha2::{Digest, Sha256};
use tokio::{sync::OnceCell, time::timeout};

pub use connection::CacheAway;
use connection::Connections;
pub use trust::{LEASE, Trust};

/// How long Redis may take to answer before the database is asked instead.
const ANSWER_WITHIN: Duration = Duration::from_millis(300);

/// How long the database may take for a connection and a statement.
const LOAD_WITHIN: Duration = Duration::from_secs(8);

/// Answers under one key; more (searches, mostly) are served without being stored.
const MOST_FIELDS: usize = 500;

/// Names what goes stale together. Made only beside the commands that make it stale.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Key(String);

impl Key {
    #[must_use]
    pub fn new(kind: &str, id: &str) -> Self {
        Self(if id.is_empty() { kind.to_owned() } else { format!("{kind}:{id}") })
    }

    /// A key as it was stored with an operation.
    #[must_use]
    pub fn stored(key: String) -> Self {
        Self(key)
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// An answer that is cached: where, and for how long.
pub trait View: Send + Sync {
    /// The longest that it is kept, changed or not.
    const TTL: Duration;

    fn key(&self) -> Key;

    /// Tells answers under the same key apart: page and size of a list.
    fn field(&self) -> String {
        "-".to_owned()
    }
}

/// A finished answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stored {
    /// Strong, without quotes: a hash of the body.
    pub etag: String,
    /// Of a list: how many items there are in all.
    pub total: Option<i64>,
    pub body: Bytes,
}

impl Stored {
    #[must_use]
    pub fn new(body: Vec<u8>, total: Option<i64>) -> Self {
        let digest = Sha256::digest(&body);
        let etag = digest[..12].iter().map(|byte| format!("{byte:02x}")).collect();
        Self { etag, total, body: body.into() }
    }

    /// `etag SP total LF body`
    fn to_bytes(&self) -> Vec<u8> {
        let total = self.total.map(|total| total.to_string()).unwrap_or_default();
        let mut bytes = format!("{} {total}\n", self.etag).into_bytes();
        bytes.extend_from_slice(&self.body);
        bytes
    }

    fn from_bytes(bytes: Vec<u8>) -> Option<Self> {
        let end = bytes.iter().position(|byte| *byte == b'\n')?;
        let (etag, total) = std::str::from_utf8(&bytes[..end]).ok()?.split_once(' ')?;
        let (etag, total) = (etag.to_owned(), total.parse().ok());
        Some(Self { etag, total, body: Bytes::from(bytes).slice(end + 1..) })
    }
}

/// One load in flight: the same hash (by its token) and the same answer.
type Flight = (String, String, String);

/// The cache, as one process uses it.
#[derive(Clone)]
pub struct Cache {
    connections: Connections,
    namespace: Arc<str>,
    trust: Trust,
    flights: Arc<Mutex<HashMap<Flight, Arc<OnceCell<Stored>>>>>,
}

impl Cache {
    /// Starts the supervisor of the connection.
    ///
    /// # Errors
    /// When the URL is not one of Redis.
    pub fn start(url: &str, namespace: &str) -> anyhow::Result<Self> {
        Ok(Self {
            connections: Connections::start(url)?,
            namespace: namespace.into(),
            trust: Trust::default(),
            flights: Arc::default(),
        })
    }

    /// Decides whether what is cached may be read.
    #[must_use]
    pub fn trust(&self) -> &Trust {
        &self.trust
    }

    /// Whether Redis answers.
    #[must_use]
    pub fn is_connected(&self) -> bool {
        self.connections.get().is_ok()
    }

    /// The cached answer, or else a fresh one, loaded once for all who miss it at the same time.
    ///
    /// # Errors
    /// Those of the load, and the database's when it takes more than 8 s; the cache being away is none.
    pub async fn get_or_load<V, L, E>(&self, view: &V, load: L) -> Result<Stored, E>
    where
        V: View,
        L: Future<Output = Result<Stored, E>>,
        E: From<sqlx::Error>,
    {
        let (key, field) = (self.name(&view.key()), view.field());
        let token = match self.look_up(&key, &field, V::TTL).await {
            Ok(Found::Answer(stored)) => {
                metrics::counter!("guildhall_cache_reads_total", "result" => "hit").increment(1);
                return Ok(stored);
            }
            Ok(Found::Token(token)) => token,
            Err(CacheAway) => {
                metrics::counter!("guildhall_cache_reads_total", "result" => "bypass").increment(1);
                return load.await;
            }
        };
        metrics::counter!("guildhall_cache_reads_total", "result" => "miss").increment(1);
        // Joining a load is safe because this read saw the same token: no
        // invalidation came between the start of that load and now.
        let flight = (key, field, token);
        let cell = self.flights().entry(flight.clone()).or_default().clone();
        let _landing = Landing { cache: self, flight: &flight };
        cell.get_or_try_init(|| async {
            // Whoever asks for it meanwhile waits for this one.
            let stored = timeout(LOAD_WITHIN, load).await.map_err(|_| sqlx::Error::PoolTimedOut)??;
            self.fill(&flight, &stored).await;
            Ok(stored)
        })
        .await
        .cloned()
    }

    /// Removes what went stale, for every process.
    ///
    /// # Errors
    /// When Redis did not confirm it.
    pub async fn invalidate(&self, keys: &[Key]) -> Result<(), CacheAway> {
        if keys.is_empty() {
            return Ok(());
        }
        let mut command = redis::cmd("UNLINK");
        for key in keys {
            command.arg(self.name(key));
        }
        self.ask(async |mut connection| command.query_async::<()>(&mut connection).await).await
    }

    async fn look_up(&self, key: &str, field: &str, ttl: Duration) -> Result<Found, CacheAway> {
        // Before the value is read: what was answered before this read began counts.
        if !self.trust.stands() {
            return Err(CacheAway);
        }
        static LOOK_UP: LazyLock<Script> = LazyLock::new(|| {
            Script::new(
                "local found = redis.call('hmget', KEYS[1], ARGV[1], 'token')
                 if found[1] or found[2] then return found end
                 redis.call('hset', KEYS[1], 'token', ARGV[2])
                 redis.call('pexpire', KEYS[1], ARGV[3])
                 return {false, ARGV[2]}",
            )
        });
        let fresh = format!("{:032x}", rand::random::<u128>());
        let mut call = LOOK_UP.prepare_invoke();
        call.key(key).arg(field).arg(&fresh).arg(ttl.as_millis() as u64);
        let (answer, token): (Option<Vec<u8>>, Option<String>) =
            self.ask(async |mut connection| call.invoke_async(&mut connection).await).await?;
        match (answer.and_then(Stored::from_bytes), token) {
            (Some(stored), _) => Ok(Found::Answer(stored)),
            (None, Some(token)) => Ok(Found::Token(token)),
            (None, None) => Err(CacheAway),
        }
    }

    async fn fill(&self, (key, field, token): &Flight, stored: &Stored) {
        static FILL: LazyLock<Script> = LazyLock::new(|| {
            Script::new(
                "if redis.call('hget', KEYS[1], 'token') ~= ARGV[2] then return 0 end
                 if redis.call('hlen', KEYS[1]) > tonumber(ARGV[4]) then return 0 end
                 return redis.call('hset', KEYS[1], ARGV[1], ARGV[3])",
            )
        });
        let mut call = FILL.prepare_invoke();
        call.key(key).arg(field).arg(token).arg(stored.to_bytes()).arg(MOST_FIELDS);
        // Not stored: the next read loads again.
        let _ = self.ask(async |mut connection| call.invoke_async::<i64>(&mut connection).await).await;
    }

    async fn ask<T>(
        &self,
        call: impl AsyncFnOnce(MultiplexedConnection) -> redis::RedisResult<T>,
    ) -> Result<T, CacheAway> {
        let connection = self.connections.get()?;
        match timeout(ANSWER_WITHIN, call(connection)).await {
            Ok(Ok(answer)) => Ok(answer),
            Ok(Err(error)) => {
                tracing::warn!(%error, "Redis failed");
                self.connections.doubt();
                Err(CacheAway)
            }
            Err(_) => {
                tracing::warn!("Redis did not answer in time");
                self.connections.doubt();
                Err(CacheAway)
            }
        }
    }

    fn name(&self, key: &Key) -> String {
        format!("{}:{key}", self.namespace)
    }

    fn flights(&self) -> std::sync::MutexGuard<'_, HashMap<Flight, Arc<OnceCell<Stored>>>> {
        self.flights.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Forgets a flight, also when its load is dropped half-way.
struct Landing<'a> {
    cache: &'a Cache,
    flight: &'a Flight,
}

impl Drop for Landing<'_> {
    fn drop(&mut self) {
        self.cache.flights().remove(self.flight);
    }
}

enum Found {
    Answer(Stored),
    /// Not there; an answer loaded from now on may be stored under this token.
    Token(String),
}
