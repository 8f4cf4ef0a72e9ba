//! The command `account.rotate_session`.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use super::{refusal::AccountRefusal, values::SessionId};
use crate::contract::{
    actor::{AccountId, Actor},
    command::{Declaration, Sender},
    partition_key::PartitionKey,
};

/// Replaces a refresh token by the next one, which is derived from it.
#[derive(Debug, Serialize, Deserialize)]
pub struct RotateSession {
    pub presented_hash: String,
    pub next_hash: String,
    pub expires_at: DateTime<Utc>,
    /// The hashes of the next token under the older secrets of the site. An earlier renewal may have used one of them.
    #[serde(default)]
    pub older_next_hashes: Vec<String>,
    /// As for [`StartSession`](super::StartSession).
    #[serde(default)]
    pub device: String,
    /// As for [`StartSession`](super::StartSession).
    #[serde(default)]
    pub network: String,
}

/// A refresh token was replaced, or its session was ended.
#[derive(Debug, Serialize, Deserialize)]
pub struct SessionRotated {
    /// False when the token was used before. Then the whole session is ended.
    pub fresh: bool,
    pub session_id: SessionId,
    pub account_id: AccountId,
    /// The hash of the next token. None if the session is ended.
    pub next_hash: Option<String>,
}

impl Declaration for RotateSession {
    type Output = SessionRotated;
    type Refusal = AccountRefusal;

    const NAME: &'static str = "account.rotate_session";
    const SENDER: Sender = Sender::Visitor;
    const REFUSALS: &'static [AccountRefusal] = &[AccountRefusal::SessionNotFound];
    const EXAMPLE: &'static str = r#"{"presented_hash":"00ff","next_hash":"ff00","expires_at":"2030-01-01T00:00:00Z","older_next_hashes":["f0f0"],"device":"Firefox","network":"203.0.113.7"}"#;

    fn partition_key(&self, _: Actor) -> Option<PartitionKey> {
        Some(PartitionKey::new("token", &self.presented_hash))
    }
}
