//! The command `account.start_session`.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use super::{refusal::AccountRefusal, second_factor_proof::SecondFactorProof, values::SessionId};
use crate::contract::{
    actor::{AccountId, Actor},
    command::{Declaration, Sender},
    partition_key::PartitionKey,
};

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

/// A session was started.
#[derive(Debug, Serialize, Deserialize)]
pub struct SessionStarted {
    pub session_id: SessionId,
}

impl Declaration for StartSession {
    type Output = SessionStarted;
    type Refusal = AccountRefusal;

    const NAME: &'static str = "account.start_session";
    const SENDER: Sender = Sender::Visitor;
    const REFUSALS: &'static [AccountRefusal] = &[
        AccountRefusal::AccountSuspended,
        AccountRefusal::PasswordExpired,
        AccountRefusal::AccountNotFound,
        AccountRefusal::PasswordHasChanged,
        AccountRefusal::SecondFactorRequired,
        AccountRefusal::SecondFactorUsed,
    ];
    const EXAMPLE: &'static str = r#"{"account_id":3,"session_id":"0192f0c1-2a3b-7c4d-8e5f-60718293a4b5","token_hash":"00ff","expires_at":"2030-01-01T00:00:00Z","clients":["00ff"],"device":"Firefox","network":"203.0.113.7"}"#;

    fn partition_key(&self, _: Actor) -> Option<PartitionKey> {
        Some(PartitionKey::account(self.account_id))
    }
}
