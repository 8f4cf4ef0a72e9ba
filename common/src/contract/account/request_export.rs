//! The command `account.request_export`.

use poem_openapi::Object;
use serde::{Deserialize, Serialize};

use super::refusal::AccountRefusal;
use crate::contract::{
    actor::{AccountId, Actor},
    command::{Declaration, Sender},
    partition_key::PartitionKey,
};

/// Collects the data of the account, and sends a link to it.
#[derive(Debug, Serialize, Deserialize)]
pub struct RequestExport {
    /// SHA-256 of the stored hash of the password, in hex. The api has verified it.
    pub proven_hash: String,
}

/// The data is being collected. A mail with a link follows.
#[derive(Debug, Serialize, Deserialize, Object)]
#[oai(example)]
pub struct ExportRequested {
    pub account_id: AccountId,
}

impl Declaration for RequestExport {
    type Output = ExportRequested;
    type Refusal = AccountRefusal;

    const NAME: &'static str = "account.request_export";
    const SENDER: Sender = Sender::Player;
    const REFUSALS: &'static [AccountRefusal] = &[
        AccountRefusal::AccountNotFound,
        AccountRefusal::PasswordHasChanged,
        AccountRefusal::MailNotConfigured,
        AccountRefusal::EmailNotVerified,
        AccountRefusal::TooManyMails,
    ];
    const EXAMPLE: &'static str = r#"{"proven_hash":"00ff"}"#;

    fn partition_key(&self, sender: Actor) -> Option<PartitionKey> {
        sender.partition_key()
    }
}

crate::examples! {
    ExportRequested { "account_id": 3 }
}
