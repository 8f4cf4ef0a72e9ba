//! The command `account.change_password`.

use poem_openapi::Object;
use serde::{Deserialize, Serialize};

use super::{refusal::AccountRefusal, values::SessionId};
use crate::contract::{
    actor::Actor,
    command::{Declaration, Sender},
    partition_key::PartitionKey,
};

/// Sets a new password, and ends the other sessions.
#[derive(Debug, Serialize, Deserialize)]
pub struct ChangePassword {
    /// SHA-256 of the stored hash of the old password, in hex. The api has verified it.
    pub proven_hash: String,
    /// A PHC string of argon2id.
    pub password_hash: String,
    pub kept_session: SessionId,
}

/// The account has a new password. Its other sessions are ended.
#[derive(Debug, Serialize, Deserialize, Object)]
#[oai(example)]
pub struct PasswordChanged {
    /// The number of ended sessions.
    pub ended_sessions: u32,
}

impl Declaration for ChangePassword {
    type Output = PasswordChanged;
    type Refusal = AccountRefusal;

    const NAME: &'static str = "account.change_password";
    const SENDER: Sender = Sender::Player;
    const REFUSALS: &'static [AccountRefusal] =
        &[AccountRefusal::AccountNotFound, AccountRefusal::PasswordHasChanged];
    const EXAMPLE: &'static str = r#"{"proven_hash":"00ff","password_hash":"$argon2id$","kept_session":"0192f0c1-2a3b-7c4d-8e5f-60718293a4b5"}"#;

    fn partition_key(&self, sender: Actor) -> Option<PartitionKey> {
        sender.partition_key()
    }
}

crate::examples! {
    PasswordChanged { "ended_sessions": 2 }
}
