//! Sessions of accounts.

use chrono::{DateTime, Utc};
use poem_openapi::Object;
use serde::{Deserialize, Serialize};

use super::{second_factor::SecondFactorProof, values::SessionId};
use crate::contract::{actor::AccountId, cache_key::CacheKey};

/// Starts a session with its first refresh token. The api has verified the password.
#[derive(Debug, Serialize, Deserialize)]
pub struct StartSession {
    pub account_id: AccountId,
    pub session_id: SessionId,
    /// SHA-256 of the refresh token, in hex.
    pub token_hash: String,
    pub expires_at: DateTime<Utc>,
    /// The hashes, in hex, by which the account knows this client at its next log-in.
    #[serde(default)]
    pub clients: Vec<String>,
    /// The `User-Agent` of the client, for the owner's list of sessions.
    #[serde(default)]
    pub device: String,
    /// The network of the client: its IPv4 address, or the /64 of its IPv6 address.
    #[serde(default)]
    pub network: String,
    /// SHA-256 of the stored hash of the password that the api has verified, in hex. Missing in commands of an older api.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proven_hash: Option<String>,
    /// Missing if the account had no second factor.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub second_factor: Option<SecondFactorProof>,
    /// The client of `clients` that needs no second factor at its next log-ins, because its owner trusts it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub device_to_trust: Option<String>,
    /// A hash of the same password with the current parameters of argon2id, if the stored hash has weaker ones.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub renewed_hash: Option<RenewedHash>,
}

/// A new hash of an unchanged password.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct RenewedHash {
    /// SHA-256 of the stored hash that it replaces, in hex.
    pub proven_hash: String,
    /// A PHC string of argon2id.
    pub password_hash: String,
}

/// Replaces a refresh token by the next one, which is derived from it.
#[derive(Debug, Serialize, Deserialize)]
pub struct RotateSession {
    pub presented_hash: String,
    pub next_hash: String,
    pub expires_at: DateTime<Utc>,
    /// The hashes of the next token under the older secrets of the site. An earlier renewal may have used one of them.
    #[serde(default)]
    pub older_next_hashes: Vec<String>,
    /// As for [`StartSession`].
    #[serde(default)]
    pub device: String,
    /// As for [`StartSession`].
    #[serde(default)]
    pub network: String,
}

/// Ends a session of the account: a log-out.
#[derive(Debug, Serialize, Deserialize)]
pub struct EndSession {
    pub session_id: SessionId,
}

/// Ends all sessions of the account except one.
#[derive(Debug, Serialize, Deserialize)]
pub struct EndOtherSessions {
    pub kept: SessionId,
}

/// A session was started.
#[derive(Debug, Serialize, Deserialize)]
pub struct SessionStarted {
    pub session_id: SessionId,
}

/// A refresh token was replaced, or its session was ended.
#[derive(Debug, Serialize, Deserialize)]
pub struct SessionRotated {
    /// False when the token was used before. Then the whole session is ended.
    pub fresh: bool,
    pub session_id: SessionId,
    pub account_id: AccountId,
    /// The hash of the next token. A worker of version 0.2.0 does not name it; it is the first one of the command.
    #[serde(default)]
    pub next_hash: Option<String>,
}

/// A session was ended. Its tokens are invalid from now on.
#[derive(Debug, Serialize, Deserialize, Object)]
#[oai(example)]
pub struct SessionEnded {
    pub session_id: SessionId,
}

/// Sessions were ended. Their tokens are invalid from now on.
#[derive(Debug, Serialize, Deserialize, Object)]
#[oai(example)]
pub struct SessionsEnded {
    /// The number of ended sessions.
    pub ended: u32,
}

/// The roles of a session's account.
#[must_use]
pub fn session_key(session_id: SessionId) -> CacheKey {
    CacheKey::new("session", &session_id.to_string())
}

crate::examples! {
    SessionEnded { "session_id": "0192f0c1-2a3b-7c4d-8e5f-60718293a4b5" }
    SessionsEnded { "ended": 2 }
}
