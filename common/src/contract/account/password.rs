//! Passwords of accounts: recovery and changes.

use poem_openapi::Object;
use serde::{Deserialize, Serialize};

use super::values::{Email, SessionId};
use crate::contract::actor::AccountId;

/// Sends a link that sets a new password, if a verified address of an account is named.
#[derive(Debug, Serialize, Deserialize)]
pub struct RequestPasswordReset {
    pub email: Email,
}

/// Sets a new password by the token of a mail, and ends all sessions.
#[derive(Debug, Serialize, Deserialize)]
pub struct ResetPassword {
    /// SHA-256 of the token, in hex.
    pub token_hash: String,
    /// A PHC string of argon2id.
    pub password_hash: String,
}

/// Sets a new password, and ends the other sessions.
#[derive(Debug, Serialize, Deserialize)]
pub struct ChangePassword {
    /// SHA-256 of the stored hash of the old password, in hex. The api has verified it.
    pub proven_hash: String,
    /// A PHC string of argon2id.
    pub password_hash: String,
    pub kept_session: SessionId,
}

/// If an account has verified the address, a mail is on its way. The output is the same if there is none.
#[derive(Debug, Serialize, Deserialize, Object)]
#[oai(example)]
pub struct PasswordResetRequested {
    pub email: String,
}

/// The account has a new password. All its sessions are ended.
#[derive(Debug, Serialize, Deserialize, Object)]
#[oai(example)]
pub struct PasswordReset {
    pub account_id: AccountId,
}

/// The account has a new password. Its other sessions are ended.
#[derive(Debug, Serialize, Deserialize, Object)]
#[oai(example)]
pub struct PasswordChanged {
    /// The number of ended sessions.
    pub ended_sessions: u32,
}

crate::examples! {
    PasswordResetRequested { "email": "mira@example.org" }
    PasswordReset { "account_id": 3 }
    PasswordChanged { "ended_sessions": 2 }
}
