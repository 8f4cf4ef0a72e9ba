//! The command `account.reset_password`.

use poem_openapi::Object;
use serde::{Deserialize, Serialize};

use super::refusal::AccountRefusal;
use crate::contract::{
    actor::{AccountId, Actor},
    command::{Declaration, Sender},
    partition_key::PartitionKey,
};

/// Sets a new password by the token of a mail, and ends all sessions.
#[derive(Debug, Serialize, Deserialize)]
pub struct ResetPassword {
    /// SHA-256 of the token, in hex.
    pub token_hash: String,
    /// A PHC string of argon2id.
    pub password_hash: String,
}

/// The account has a new password. All its sessions are ended.
#[derive(Debug, Serialize, Deserialize, Object)]
#[oai(example)]
pub struct PasswordReset {
    pub account_id: AccountId,
}

impl Declaration for ResetPassword {
    type Output = PasswordReset;
    type Refusal = AccountRefusal;

    const NAME: &'static str = "account.reset_password";
    const SENDER: Sender = Sender::Visitor;
    // The deletion of an account deletes its tokens.
    const REFUSALS: &'static [AccountRefusal] = &[AccountRefusal::TokenNotFound];
    const EXAMPLE: &'static str = r#"{"token_hash":"00ff","password_hash":"$argon2id$"}"#;

    fn partition_key(&self, _: Actor) -> Option<PartitionKey> {
        Some(PartitionKey::new("token", &self.token_hash))
    }
}

crate::examples! {
    PasswordReset { "account_id": 3 }
}
