//! The idempotency key of a request, as its command carries it.

use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// The keyed hash of a request: 32 bytes in hex. A repeated request has the same one. A different
/// request under the same `Idempotency-Key` has another one.
pub type Fingerprint = String;

/// The use of an idempotency key by a request, under one of the site's secrets.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeyUse {
    /// The keyed hash of the actor and the key.
    pub key: Uuid,
    /// The fingerprint of the request, under the same secret.
    pub fingerprint: Fingerprint,
    /// Whether strangers may use the same key. A different request under it is then a new one. An api of version 0.3.0 uses
    /// such keys, too, for requests without a token.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_shared: bool,
}

/// What a request is to an idempotency key that another request has claimed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyClaim {
    /// The request repeats the one that claimed the key.
    Repeated,
    /// The request differs from the one that claimed the key.
    Reused,
}

impl KeyUse {
    /// Compares the request with the one that has claimed the key. None if a stranger may have claimed it.
    #[must_use]
    pub fn compare(&self, claimed: &Fingerprint) -> Option<KeyClaim> {
        match self.fingerprint == *claimed {
            true => Some(KeyClaim::Repeated),
            false if self.is_shared => None,
            false => Some(KeyClaim::Reused),
        }
    }
}
