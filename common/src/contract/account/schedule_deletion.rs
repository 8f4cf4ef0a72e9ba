//! The command `account.schedule_deletion`.

use chrono::{DateTime, Utc};
use poem_openapi::Object;
use serde::{Deserialize, Serialize};

use super::refusal::AccountRefusal;
use crate::contract::{
    actor::{AccountId, Actor},
    command::{Declaration, Sender},
    partition_key::PartitionKey,
};

/// Deletes the account after a grace period.
#[derive(Debug, Serialize, Deserialize)]
pub struct ScheduleDeletion {
    /// As for [`RequestExport`](super::RequestExport).
    pub proven_hash: String,
}

/// The account will be deleted. Until then its owner can cancel it.
#[derive(Debug, Serialize, Deserialize, Object)]
#[oai(example)]
pub struct DeletionScheduled {
    pub account_id: AccountId,
    pub due_at: DateTime<Utc>,
}

impl Declaration for ScheduleDeletion {
    type Output = DeletionScheduled;
    type Refusal = AccountRefusal;

    const NAME: &'static str = "account.schedule_deletion";
    const SENDER: Sender = Sender::Player;
    const REFUSALS: &'static [AccountRefusal] = &[
        AccountRefusal::StaffStays,
        AccountRefusal::AccountNotFound,
        AccountRefusal::PasswordHasChanged,
        AccountRefusal::DeletionScheduled,
        AccountRefusal::TooManyMails,
    ];
    const EXAMPLE: &'static str = r#"{"proven_hash":"00ff"}"#;

    fn partition_key(&self, sender: Actor) -> Option<PartitionKey> {
        sender.partition_key()
    }
}

crate::examples! {
    DeletionScheduled { "account_id": 3, "due_at": "2030-02-01T12:00:00Z" }
}
