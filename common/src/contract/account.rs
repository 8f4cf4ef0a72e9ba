//! Accounts and their sessions: commands, outputs, refusals.

use chrono::{DateTime, Utc};
use poem_openapi::{Enum, Object};
use serde::{Deserialize, Serialize};

pub use super::actor::{AccountId, ServiceTokenId};
use super::{
    actor::Actor,
    cache_key::CacheKey,
    character::{CharacterCreated, CreateCharacter},
    partition_key::{PartitionKey, Partitioned},
};
use crate::{domain, refusals, text_types, uuid_ids};

domain! {
    AccountCommand = "account" {
        "account.register" => Register -> AccountRegistered,
        "account.start_session" => StartSession -> SessionStarted,
        "account.rotate_session" => RotateSession -> SessionRotated,
        "account.end_session" => EndSession -> SessionEnded,
        "account.create_character" => CreateCharacter -> CharacterCreated,
    }
}

impl Partitioned for AccountCommand {
    fn partition_key(&self, actor: Actor) -> Option<PartitionKey> {
        match self {
            Self::Register(command) => Some(PartitionKey::new("name", command.name.to_lowercase())),
            Self::StartSession(command) => Some(PartitionKey::account(command.account_id)),
            Self::RotateSession(command) => Some(PartitionKey::new("token", &command.presented_hash)),
            Self::EndSession(_) | Self::CreateCharacter(_) => actor.partition_key(),
        }
    }

    fn is_always_accepted(&self) -> bool {
        matches!(self, Self::EndSession(_))
    }
}

text_types! {
    /// The name of an account, unique without regard to case.
    AccountName { 3 ..= 32, r"^[A-Za-z][A-Za-z0-9_]*$", "mira", trimmed }
    /// An e-mail address, unique without regard to case. It is not verified.
    Email { 6 ..= 254, r"^[A-Za-z0-9.!#$%&*+/=?^_{|}~-]+@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+$", "mira@example.org", trimmed }
}

uuid_ids! {
    /// The id of a session.
    SessionId
}

/// What an account may do beyond playing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, Enum, sqlx::Type)]
#[oai(rename_all = "snake_case")]
#[serde(rename_all = "snake_case")]
#[sqlx(type_name = "text", rename_all = "snake_case")]
pub enum Role {
    /// The role of every account.
    Player,
    /// Writes news.
    Editor,
    /// Manages the shop.
    Merchant,
    /// May do everything.
    Admin,
    /// The role of a game server.
    Game,
}

/// Registers an account. Passwords and tokens are hashed before they are queued.
#[derive(Debug, Serialize, Deserialize)]
pub struct Register {
    pub name: AccountName,
    pub email: Email,
    /// A PHC string of argon2id.
    pub password_hash: String,
}

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
}

/// Ends a session of the account: a log-out.
#[derive(Debug, Serialize, Deserialize)]
pub struct EndSession {
    pub session_id: SessionId,
}

/// An account was registered.
#[derive(Debug, Serialize, Deserialize, Object)]
#[oai(example)]
pub struct AccountRegistered {
    pub account_id: AccountId,
    pub name: String,
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

refusals! {
    AccountRefusal {
        Conflict NameTaken "account_name_taken" "Another account has this name.";
        Conflict EmailTaken "email_taken" "Another account has this e-mail address.";
        Conflict CharacterNameTaken "character_name_taken" "Another character has this name.";
        Conflict CharacterNameNotAllowed "character_name_not_allowed" "The game does not allow this character name.";
        Conflict TooManyCharacters "too_many_characters" "This account has reached its limit of characters.";
        NotFound SessionNotFound "session_not_found" "This session does not exist. Log in again.";
        NotFound AccountNotFound "account_not_found" "This account does not exist.";
    }
}

/// The roles of a session's account.
#[must_use]
pub fn session_key(session_id: SessionId) -> CacheKey {
    CacheKey::new("session", &session_id.to_string())
}

/// The prefix of service tokens. Scanners for leaked secrets recognise it.
pub const SERVICE_TOKEN_PREFIX: &str = "ghs_";

/// The valid service tokens.
#[must_use]
pub fn service_tokens_key() -> CacheKey {
    CacheKey::new("service-tokens", "all")
}

crate::examples! {
    AccountRegistered { "account_id": 3, "name": "mira" }
    SessionEnded { "session_id": "0192f0c1-2a3b-7c4d-8e5f-60718293a4b5" }
}

crate::wire_forms! {
    AccountCommand r#"
        {"name":"account.register","body":{"name":"mira","email":"mira@example.org","password_hash":"$argon2id$"}}
        {"name":"account.start_session","body":{"account_id":3,"session_id":"0192f0c1-2a3b-7c4d-8e5f-60718293a4b5","token_hash":"00ff","expires_at":"2030-01-01T00:00:00Z","clients":["00ff"]}}
        {"name":"account.rotate_session","body":{"presented_hash":"00ff","next_hash":"ff00","expires_at":"2030-01-01T00:00:00Z","older_next_hashes":["f0f0"]}}
        {"name":"account.end_session","body":{"session_id":"0192f0c1-2a3b-7c4d-8e5f-60718293a4b5"}}
        {"name":"account.create_character","body":{"name":"Mira Stormborn","vocation":"Elder Druid"}}
    "#
}
