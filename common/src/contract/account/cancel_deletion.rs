//! The command `account.cancel_deletion`.

use poem_openapi::Object;
use serde::{Deserialize, Serialize};

use super::refusal::AccountRefusal;
use crate::contract::{
    actor::{AccountId, Actor},
    command::{Declaration, Sender},
    partition_key::PartitionKey,
};

/// Keeps an account that was to be deleted.
#[derive(Debug, Serialize, Deserialize)]
pub struct CancelDeletion {}

/// The account stays.
#[derive(Debug, Serialize, Deserialize, Object)]
#[oai(example)]
pub struct DeletionCancelled {
    pub account_id: AccountId,
}

impl Declaration for CancelDeletion {
    type Output = DeletionCancelled;
    type Refusal = AccountRefusal;

    const NAME: &'static str = "account.cancel_deletion";
    const SENDER: Sender = Sender::Player;
    const REFUSALS: &'static [AccountRefusal] =
        &[AccountRefusal::AccountNotFound, AccountRefusal::DeletionNotScheduled];
    const EXAMPLE: &'static str = r#"{}"#;

    fn partition_key(&self, sender: Actor) -> Option<PartitionKey> {
        sender.partition_key()
    }
}

crate::examples! {
    DeletionCancelled { "account_id": 3 }
}
