//! Passwords: hashed with argon2id, a few at the same time.

use std::{fmt, sync::Arc, thread::available_parallelism};

use argon2::{
    Argon2, Params, PasswordHash,
    password_hash::{PasswordHasher, PasswordVerifier},
};
use guildhall_common::{contract::opaque_string::opaque_string, invalid_value::InvalidValue, openapi_schema};
use rayon::{ThreadPool, ThreadPoolBuilder};
use secrecy::{ExposeSecret, SecretString};
use serde::{Deserialize, Serialize};
use tokio::sync::oneshot;

use crate::{
    auth::{
        game_hash::{self, GameHash, GameScheme},
        new_password::NewPassword,
        password_queue::{PasswordQueue, Priority},
    },
    http::problem::Problem,
};

/// A password as it is presented: 1 to 256 characters, because passwords of games may be short. Never logged.
#[derive(Clone, Deserialize, Serialize)]
#[serde(try_from = "String", into = "String")]
pub struct Password(SecretString);

impl std::str::FromStr for Password {
    type Err = InvalidValue;

    fn from_str(text: &str) -> Result<Self, InvalidValue> {
        let characters = text.chars().count();
        if !(1..=256).contains(&characters) {
            return Err(InvalidValue::length(characters, 1, 256));
        }
        Ok(Self(text.into()))
    }
}

impl Password {
    fn prepared(&self) -> String {
        opaque_string(self.0.expose_secret())
    }
}

impl TryFrom<String> for Password {
    type Error = InvalidValue;

    fn try_from(text: String) -> Result<Self, InvalidValue> {
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
    schema.description = Some("A long password is better than a complicated one. It is stored as an Argon2 hash.");
    schema.format = Some("password");
    schema.min_length = Some(1);
    schema.max_length = Some(256);
    schema.example = Some("correct horse battery".into());
});

/// Hashes and verifies passwords, a few at the same time. One hash uses a
/// processor and 19 MiB of memory for about 20 ms.
#[derive(Clone)]
pub(crate) struct Passwords {
    queue: PasswordQueue,
    /// A thread pool of its own: the allocator keeps the memory of each thread, and tokio has many threads.
    threads: Arc<ThreadPool>,
    /// A hash of no password. It is verified if the account does not exist, so that both cases take the same time.
    decoy: Arc<str>,
}

impl Passwords {
    /// Starts the threads.
    ///
    /// # Errors
    /// The system has no randomness, or a thread cannot be started.
    pub(crate) fn new() -> anyhow::Result<Self> {
        // One processor is left for other requests.
        let parallel =
            available_parallelism().map_or(1, |processors| processors.get().saturating_sub(1).max(1));
        let threads = ThreadPoolBuilder::new().num_threads(parallel).thread_name(|_| "passwords".to_owned());
        let threads = threads.panic_handler(|_| tracing::error!("password thread panicked")).build()?;
        // The memory of a hash stays with its thread, so the hash is made on a thread that makes others later.
        let decoy = threads.install(|| hash(b"there is no such account"));
        let decoy = decoy.map_err(|error| anyhow::anyhow!("hashing: {error}"))?;
        let threads = Arc::new(threads);
        Ok(Self { queue: PasswordQueue::new(parallel), threads, decoy: decoy.into() })
    }

    /// The hash of a new password, as a PHC string. Its owner has these names.
    ///
    /// # Errors
    /// 400 if the password is easy to guess, and 503 if too many requests wait for a permit.
    pub(crate) async fn hash(&self, password: NewPassword, names: Vec<String>) -> Result<String, Problem> {
        let work = move || {
            password.judge(&names)?;
            hash(password.as_bytes())
                .map_err(|error| Problem::internal("a password cannot be hashed", &error))
        };
        self.run(Priority::Other, work).await?
    }

    /// Whether the password matches this PHC string. Without a PHC string the result is false.
    ///
    /// # Errors
    /// 503 if too many requests wait for a permit.
    pub(crate) async fn verify(
        &self,
        password: Password,
        phc: Option<String>,
        priority: Priority,
    ) -> Result<bool, Problem> {
        let is_known = phc.is_some();
        let phc = phc.unwrap_or_else(|| self.decoy.to_string());
        let verified = self.run(priority, move || StoredHash::read(&phc).matches(&password));
        Ok(verified.await? && is_known)
    }

    /// The hash of a hash of a game.
    ///
    /// # Errors
    /// 503 if too many requests wait for a permit.
    pub(crate) async fn wrap(&self, hash: GameHash) -> Result<String, Problem> {
        let work = move || wrap(&hash);
        let hash = self.run(Priority::Import, work).await?;
        hash.map_err(|error| Problem::internal("a hash of a game cannot be hashed", &error))
    }

    /// A hash of a correct password with the current parameters, if this PHC string has others.
    ///
    /// # Errors
    /// 503 if too many requests wait for a permit.
    pub(crate) async fn renew(&self, password: Password, phc: &str) -> Result<Option<String>, Problem> {
        if !is_outdated(phc) {
            return Ok(None);
        }
        let hash = self.run(Priority::KnownClient, move || hash(password.prepared().as_bytes()));
        hash.await?.map(Some).map_err(|error| Problem::internal("a password cannot be hashed", &error))
    }

    /// Runs the work on a thread of the pool when a permit is free.
    async fn run<T: Send + 'static>(
        &self,
        priority: Priority,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Problem> {
        let busy = || Problem::unavailable("busy", "Too many players log in at the moment. Try again.");
        let permit = self.queue.acquire(priority).await.map_err(|_| busy())?;
        let (sender, receiver) = oneshot::channel();
        self.threads.spawn(move || {
            // The request may have ended.
            let _ = sender.send(work());
            drop(permit);
        });
        receiver.await.map_err(|_| busy())
    }
}

fn hash(password: &[u8]) -> Result<String, argon2::password_hash::Error> {
    Ok(Argon2::default().hash_password(password)?.to_string())
}

/// The scheme of the game, and the hash of its hash.
fn wrap(GameHash { scheme, hash: game_hash }: &GameHash) -> Result<String, argon2::password_hash::Error> {
    Ok(format!("{scheme}{SEPARATOR}{}", hash(game_hash)?))
}

/// What separates the scheme of a game from a PHC string, which does not have it.
const SEPARATOR: char = '|';

/// A hash as the database has it.
struct StoredHash<'a> {
    /// The scheme of the game that has hashed the password before. None: the site has hashed it.
    scheme: Option<&'a str>,
    phc: &'a str,
}

impl<'a> StoredHash<'a> {
    fn read(text: &'a str) -> Self {
        match text.split_once(SEPARATOR) {
            Some((scheme, phc)) => Self { scheme: Some(scheme), phc },
            None => Self { scheme: None, phc: text },
        }
    }

    fn matches(&self, password: &Password) -> bool {
        let (typed, prepared) = (password.0.expose_secret(), password.prepared());
        let Some(scheme) = self.scheme else {
            // Version 0.3.0 hashed passwords as they were typed.
            return self.is_hash_of(prepared.as_bytes())
                || (prepared != typed && self.is_hash_of(typed.as_bytes()));
        };
        let Ok(scheme) = scheme.parse::<GameScheme>() else { return false };
        game_hash::encodings(typed)
            .iter()
            .any(|bytes| scheme.hash(bytes).is_ok_and(|hash| self.is_hash_of(&hash)))
    }

    fn is_hash_of(&self, bytes: &[u8]) -> bool {
        Argon2::default().verify_password(bytes, self.phc).is_ok()
    }
}

/// Whether a hash was made with other parameters than the current ones, or from the hash of a game.
fn is_outdated(phc: &str) -> bool {
    let current = Params::default();
    let params = PasswordHash::new(phc).ok().and_then(|hash| Params::try_from(&hash.params).ok());
    params.is_none_or(|params| {
        (params.m_cost(), params.t_cost(), params.p_cost())
            != (current.m_cost(), current.t_cost(), current.p_cost())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::auth::game_hash::tests::{ARGON2ID, COSTS, PASSWORD, SHA1};

    #[tokio::test]
    async fn password_of_a_game_is_accepted_until_it_is_renewed() {
        let passwords = Passwords::new().unwrap();
        for text in [SHA1, ARGON2ID] {
            let stored = passwords.wrap(GameHash::parse(text, COSTS).unwrap()).await.unwrap();
            assert!(!stored.contains(text.trim_start_matches('$')), "{stored}");
            let verify = async |typed: &str, stored: &str| {
                passwords
                    .verify(typed.parse().unwrap(), Some(stored.to_owned()), Priority::Other)
                    .await
                    .unwrap()
            };
            assert!(verify(PASSWORD, &stored).await);
            assert!(!verify("senha cafe", &stored).await);
            // The hash of the game alone is no password.
            assert!(!verify(text, &stored).await);
            let renewed = passwords.renew(PASSWORD.parse().unwrap(), &stored).await.unwrap().unwrap();
            assert!(verify(PASSWORD, &renewed).await);
            assert!(renewed.starts_with("$argon2id$"), "{renewed}");
            assert_eq!(passwords.renew(PASSWORD.parse().unwrap(), &renewed).await.unwrap(), None);
        }
    }

    /// Version 0.3.0 did not convert passwords.
    #[tokio::test]
    async fn hash_of_a_password_as_it_was_typed_is_accepted() {
        let passwords = Passwords::new().unwrap();
        let (decomposed, composed) = ("cafe\u{301} lanterna", "caf\u{e9} lanterna");
        let verify = async |typed: &str, hashed: &str| {
            let phc = hash(hashed.as_bytes()).unwrap();
            passwords.verify(typed.parse().unwrap(), Some(phc), Priority::Other).await.unwrap()
        };
        assert!(verify(decomposed, decomposed).await);
        assert!(verify(decomposed, composed).await);
        assert!(verify(composed, composed).await);
        assert!(!verify(composed, decomposed).await);
        assert!(!verify("cafe lanterna", composed).await);
    }
}
