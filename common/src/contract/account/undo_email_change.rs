//! The command `account.undo_email_change`.

use poem_openapi::Object;
use serde::{Deserialize, Serialize};

use super::refusal::AccountRefusal;
use crate::contract::{
    actor::{AccountId, Actor},
    command::{Declaration, Sender},
    partition_key::PartitionKey,
};

/// Restores the address before a change, by the token that the old address received.
#[derive(Debug, Serialize, Deserialize)]
pub struct UndoEmailChange {
    /// SHA-256 of the token, in hex.
    pub token_hash: String,
}

/// The account has its former address again. All its sessions are ended, and its password must be reset.
#[derive(Debug, Serialize, Deserialize, Object)]
#[oai(example)]
pub struct EmailChangeUndone {
    pub account_id: AccountId,
    pub email: String,
}

impl Declaration for UndoEmailChange {
    type Output = EmailChangeUndone;
    type Refusal = AccountRefusal;

    const NAME: &'static str = "account.undo_email_change";
    const SENDER: Sender = Sender::Visitor;
    // The deletion of an account deletes its tokens.
    const REFUSALS: &'static [AccountRefusal] = &[AccountRefusal::TokenNotFound, AccountRefusal::EmailTaken];
    const EXAMPLE: &'static str = r#"{"token_hash":"00ff"}"#;

    fn partition_key(&self, _: Actor) -> Option<PartitionKey> {
        Some(PartitionKey::new("token", &self.token_hash))
    }
}

crate::examples! {
    EmailChangeUndone { "account_id": 3, "email": "mira@example.org" }
}
