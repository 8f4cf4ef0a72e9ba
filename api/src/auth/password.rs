//! Passwords: argon2id, a few at a time.

use std::{fmt, sync::Arc, thread::available_parallelism, time::Duration};

use argon2::{
    Argon2,
    password_hash::{PasswordHasher, PasswordVerifier},
};
use guildhall_common::openapi_schema;
use rayon::{ThreadPool, ThreadPoolBuilder};
use secrecy::{ExposeSecret, SecretString};
use serde::{Deserialize, Serialize};
use tokio::{
    sync::{Semaphore, oneshot},
    time::timeout,
};

use crate::http::problem::Problem;

/// Whoever waits longer for a turn is told to come back.
const TURN_WITHIN: Duration = Duration::from_secs(5);

/// 8 to 128 characters. Never logged.
#[derive(Clone, Deserialize, Serialize)]
#[serde(try_from = "String", into = "String")]
pub struct Password(SecretString);

impl std::str::FromStr for Password {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if !(8..=128).contains(&text.chars().count()) {
            return Err("must have 8 to 128 characters".to_owned());
        }
        Ok(Self(text.into()))
    }
}

impl TryFrom<String> for Password {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

impl From<Password> for String {
    fn from(_: Password) -> Self {
        "(hidden)".to_owned()
    }
}

impl fmt::Debug for Password {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("(hidden)")
    }
}

openapi_schema!(named Password, "string", |schema: &mut poem_openapi::registry::MetaSchema| {
    schema.description = Some("Long rather than strange; kept as an Argon2 hash.");
    schema.format = Some("password");
    schema.min_length = Some(8);
    schema.max_length = Some(128);
    schema.example = Some("correct horse battery".into());
});

/// Hashes and checks passwords, as many at a time as there are processors: each takes
/// one of them, and 19 MiB of memory, for some 20 ms.
#[derive(Clone)]
pub(crate) struct Passwords {
    turns: Arc<Semaphore>,
    /// Threads of their own: the allocator keeps what each thread has once used, and tokio's are many.
    threads: Arc<ThreadPool>,
    /// Of no password: checked where there is no account, so that the time tells nothing.
    decoy: Arc<str>,
}

impl Passwords {
    /// # Errors
    /// When the system has no randomness.
    pub(crate) fn new() -> anyhow::Result<Self> {
        let turns = available_parallelism().map_or(1, usize::from);
        let decoy = hash(b"there is no such account").map_err(|error| anyhow::anyhow!("hashing: {error}"))?;
        let threads = ThreadPoolBuilder::new().num_threads(turns).thread_name(|_| "passwords".to_owned());
        let threads = threads.panic_handler(|_| tracing::error!("hashing a password has failed")).build()?;
        let threads = Arc::new(threads);
        Ok(Self { turns: Arc::new(Semaphore::new(turns)), threads, decoy: decoy.into() })
    }

    /// The PHC string of a new password.
    ///
    /// # Errors
    /// 503 when too many wait for a turn.
    pub(crate) async fn hash(&self, password: Password) -> Result<String, Problem> {
        let hashed = self.in_turn(move || hash(password.0.expose_secret().as_bytes())).await?;
        hashed.map_err(|error| Problem::fault("a password cannot be hashed", &error))
    }

    /// Whether the password is the one of this PHC string.
    ///
    /// # Errors
    /// 503 when too many wait for a turn.
    pub(crate) async fn verify(&self, password: Password, phc: Option<String>) -> Result<bool, Problem> {
        let known = phc.is_some();
        let phc = phc.unwrap_or_else(|| self.decoy.to_string());
        let verified = self.in_turn(move || {
            Argon2::default().verify_password(password.0.expose_secret().as_bytes(), phc.as_str()).is_ok()
        });
        Ok(verified.await? && known)
    }

    async fn in_turn<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Problem> {
        let busy = || Problem::unavailable("busy", "Too many people sign in at the moment; try again.");
        let turn = timeout(TURN_WITHIN, self.turns.clone().acquire_owned()).await;
        let turn = turn.map_err(|_| busy())?.map_err(|_| busy())?;
        let (done, waiting) = oneshot::channel();
        self.threads.spawn(move || {
            // Whoever asked may have gone.
            let _ = done.send(work());
            drop(turn);
        });
        waiting.await.map_err(|_| busy())
    }
}

fn hash(password: &[u8]) -> Result<String, argon2::password_hash::Error> {
    Ok(Argon2::default().hash_password(password)?.to_string())
}
