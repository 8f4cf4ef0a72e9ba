//! The command `account.cancel_deletion_by_link`.

use serde::{Deserialize, Serialize};

use super::{cancel_deletion::DeletionCancelled, refusal::AccountRefusal};
use crate::contract::{
    actor::Actor,
    command::{Declaration, Sender},
    partition_key::PartitionKey,
};

/// Keeps an account that was to be deleted, by the token of the mail about it.
#[derive(Debug, Serialize, Deserialize)]
pub struct CancelDeletionByLink {
    /// SHA-256 of the token, in hex.
    pub token_hash: String,
}

impl Declaration for CancelDeletionByLink {
    type Output = DeletionCancelled;
    type Refusal = AccountRefusal;

    const NAME: &'static str = "account.cancel_deletion_by_link";
    const SENDER: Sender = Sender::Visitor;
    // The end of a scheduled deletion deletes its tokens.
    const REFUSALS: &'static [AccountRefusal] = &[AccountRefusal::TokenNotFound];
    const EXAMPLE: &'static str = r#"{"token_hash":"00ff"}"#;

    fn partition_key(&self, _: Actor) -> Option<PartitionKey> {
        Some(PartitionKey::new("token", &self.token_hash))
    }
}
