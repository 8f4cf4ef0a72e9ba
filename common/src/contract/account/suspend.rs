//! The command `account.suspend`.

use chrono::{DateTime, Utc};
use poem_openapi::Object;
use serde::{Deserialize, Serialize};

use super::refusal::AccountRefusal;
use crate::contract::{
    actor::{AccountId, Actor},
    command::{Declaration, Sender},
    partition_key::PartitionKey,
    values::Reason,
};

/// Suspends an account: it cannot log in, and its sessions end.
#[derive(Debug, Serialize, Deserialize)]
pub struct SuspendAccount {
    pub account_id: AccountId,
    /// None: for ever.
    pub until: Option<DateTime<Utc>>,
    /// The player reads it.
    pub reason: Reason,
}

/// An account was suspended.
#[derive(Debug, Serialize, Deserialize, Object)]
#[oai(example)]
pub struct AccountSuspended {
    pub account_id: AccountId,
    /// Missing: for ever.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<DateTime<Utc>>,
    /// The number of ended sessions.
    pub ended_sessions: u32,
}

impl Declaration for SuspendAccount {
    type Output = AccountSuspended;
    type Refusal = AccountRefusal;

    const NAME: &'static str = "account.suspend";
    const SENDER: Sender = Sender::Admin;
    const REFUSALS: &'static [AccountRefusal] = &[
        AccountRefusal::TargetIsAdmin,
        AccountRefusal::AccountNotFound,
        AccountRefusal::SuspensionInThePast,
    ];
    const EXAMPLE: &'static str = r#"{"account_id":3,"until":"2030-01-01T00:00:00Z","reason":"Spam."}"#;
    const IS_ALWAYS_ACCEPTED: bool = true;

    fn partition_key(&self, _: Actor) -> Option<PartitionKey> {
        Some(PartitionKey::account(self.account_id))
    }
}

crate::examples! {
    AccountSuspended { "account_id": 3, "until": "2030-02-01T12:00:00Z", "ended_sessions": 2 }
}
