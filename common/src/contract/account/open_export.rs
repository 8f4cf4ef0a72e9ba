//! The command `account.open_export`.

use serde::{Deserialize, Serialize};

use super::refusal::AccountRefusal;
use crate::contract::{
    actor::{AccountId, Actor},
    command::{Declaration, Sender},
    partition_key::PartitionKey,
};

/// Uses the token of the mail that the export of an account's data is ready.
#[derive(Debug, Serialize, Deserialize)]
pub struct OpenExport {
    /// SHA-256 of the token, in hex.
    pub token_hash: String,
}

/// The token of an export was used. The api reads the document from the database.
#[derive(Debug, Serialize, Deserialize)]
pub struct ExportOpened {
    pub account_id: AccountId,
}

impl Declaration for OpenExport {
    type Output = ExportOpened;
    type Refusal = AccountRefusal;

    const NAME: &'static str = "account.open_export";
    const SENDER: Sender = Sender::Visitor;
    const REFUSALS: &'static [AccountRefusal] = &[AccountRefusal::TokenNotFound];
    const EXAMPLE: &'static str = r#"{"token_hash":"00ff"}"#;

    fn partition_key(&self, _: Actor) -> Option<PartitionKey> {
        Some(PartitionKey::new("token", &self.token_hash))
    }
}
