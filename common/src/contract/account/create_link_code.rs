//! The command `account.create_link_code`.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use super::refusal::AccountRefusal;
use crate::contract::{
    actor::Actor,
    command::{Declaration, Sender},
    partition_key::PartitionKey,
};

/// Replaces the link code of the account.
#[derive(Debug, Serialize, Deserialize)]
pub struct CreateLinkCode {
    /// SHA-256 of the code, in hex.
    pub code_hash: String,
}

/// The link code was replaced.
#[derive(Debug, Serialize, Deserialize)]
pub struct LinkCodeCreated {
    pub expires_at: DateTime<Utc>,
}

impl Declaration for CreateLinkCode {
    type Output = LinkCodeCreated;
    type Refusal = AccountRefusal;

    const NAME: &'static str = "account.create_link_code";
    const SENDER: Sender = Sender::Player;
    const REFUSALS: &'static [AccountRefusal] = &[AccountRefusal::AccountNotFound];
    const EXAMPLE: &'static str = r#"{"code_hash":"00ff"}"#;

    fn partition_key(&self, sender: Actor) -> Option<PartitionKey> {
        sender.partition_key()
    }
}
