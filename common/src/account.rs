//! Accounts, their sessions and characters: commands, outcomes, refusals.

use chrono::{DateTime, Utc};
use poem_openapi::{Enum, Object};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::{cache::Key, domain, ids, numbers, refusals, texts, values::LETTERS};

domain! {
    AccountCommand = "account" {
        "account.register" => Register -> Registered,
        "account.start_session" => StartSession -> SessionStarted,
        "account.rotate_session" => RotateSession -> SessionRotated,
        "account.end_session" => EndSession -> SessionEnded,
        "account.create_character" => CreateCharacter -> CharacterCreated,
    }
}

texts! {
    /// Unique without regard to case.
    AccountName { 3 ..= 32, r"^[A-Za-z][A-Za-z0-9_]*$", "mira", trimmed }
    /// Unique without regard to case; not verified.
    Email { 6 ..= 254, r"^[A-Za-z0-9.!#$%&*+/=?^_{|}~-]+@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+$", "mira@example.org", trimmed }
    /// Unique without regard to case.
    CharacterName { 3 ..= 29, LETTERS, "Mira Stormborn", trimmed }
    /// The game's own word for what a character does.
    Vocation { 1 ..= 30, LETTERS, "Elder Druid", trimmed }
}

ids! {
    /// A character, whatever its name is.
    CharacterId
}

numbers! {
    Level(i32, "int32") { 1 ..= 1_000_000, 8 }
}

/// What an account may do beyond playing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, Enum)]
#[oai(rename_all = "snake_case")]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// Everybody.
    Player,
    /// Writes the news.
    Editor,
    /// Keeps the shop.
    Merchant,
    /// May do everything.
    Admin,
    /// A game server.
    Game,
}

/// Passwords and tokens come hashed: no secret travels through the queue.
#[derive(Debug, Serialize, Deserialize)]
pub struct Register {
    pub name: AccountName,
    pub email: Email,
    /// PHC string of argon2id.
    pub password_hash: String,
}

/// The password was right: open a session with its first refresh token.
#[derive(Debug, Serialize, Deserialize)]
pub struct StartSession {
    pub account_id: i64,
    pub session_id: Uuid,
    /// SHA-256 of the refresh token, in hex.
    pub token_hash: String,
    pub expires_at: DateTime<Utc>,
}

/// Replace a refresh token by the next one.
#[derive(Debug, Serialize, Deserialize)]
pub struct RotateSession {
    pub presented_hash: String,
    pub next_hash: String,
    pub expires_at: DateTime<Utc>,
}

/// Log out: end a session of the account's own.
#[derive(Debug, Serialize, Deserialize)]
pub struct EndSession {
    pub session_id: Uuid,
}

#[derive(Debug, Serialize, Deserialize)]
pub struct CreateCharacter {
    pub name: CharacterName,
    pub vocation: Vocation,
}

/// An account was opened.
#[derive(Debug, Serialize, Deserialize, Object)]
#[oai(example)]
pub struct Registered {
    pub account_id: i64,
    pub name: String,
}

#[derive(Debug, Serialize, Deserialize)]
pub struct SessionStarted {
    pub session_id: Uuid,
}

#[derive(Debug, Serialize, Deserialize)]
pub struct SessionRotated {
    /// False when the token had been used before: the whole session is ended.
    pub fresh: bool,
    pub session_id: Uuid,
    pub account_id: i64,
}

/// A session was ended; its tokens are good for nothing from now on.
#[derive(Debug, Serialize, Deserialize, Object)]
#[oai(example)]
pub struct SessionEnded {
    pub session_id: Uuid,
}

/// A character was created.
#[derive(Debug, Serialize, Deserialize, Object)]
#[oai(example)]
pub struct CharacterCreated {
    pub character_id: i64,
    pub name: String,
    pub level: i32,
    pub vocation: String,
}

refusals! {
    AccountRefusal {
        Conflict NameTaken "account_name_taken" "Another account has this name.";
        Conflict EmailTaken "email_taken" "Another account has this e-mail address.";
        Conflict CharacterNameTaken "character_name_taken" "Another character has this name.";
        Conflict TooManyCharacters "too_many_characters" "This account has as many characters as it can have.";
        NotFound SessionNotFound "session_not_found" "There is no such session; log in again.";
        NotFound AccountNotFound "account_not_found" "There is no such account.";
    }
}

/// Whether a session is good, and what its account may do.
#[must_use]
pub fn session_key(session_id: Uuid) -> Key {
    Key::new("session", &session_id.to_string())
}

/// Service tokens begin with this, so that they are recognised, also by scanners for leaked secrets.
pub const SERVICE_TOKEN_PREFIX: &str = "ghs_";

/// A service token by its hash, for the api that checks it on every request.
#[must_use]
pub fn service_token_key(token_hash: &str) -> Key {
    Key::new("service-token", token_hash)
}

crate::examples! {
    Registered { "account_id": 3, "name": "mira" }
    SessionEnded { "session_id": "0192f0c1-2a3b-7c4d-8e5f-60718293a4b5" }
    CharacterCreated { "character_id": 7, "name": "Mira Stormborn", "level": 1, "vocation": "Elder Druid" }
}
