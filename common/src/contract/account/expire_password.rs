//! The command `account.expire_password`.

use poem_openapi::Object;
use serde::{Deserialize, Serialize};

use super::refusal::AccountRefusal;
use crate::contract::{
    actor::{AccountId, Actor},
    command::{Declaration, Sender},
    partition_key::PartitionKey,
    values::Reason,
};

/// Ends the sessions of an account. It cannot log in until its password is reset by mail.
#[derive(Debug, Serialize, Deserialize)]
pub struct ExpirePassword {
    pub account_id: AccountId,
    pub reason: Reason,
}

/// The password of an account must be reset. Its verified address has received a link.
#[derive(Debug, Serialize, Deserialize, Object)]
#[oai(example)]
pub struct PasswordExpired {
    pub account_id: AccountId,
    /// The number of ended sessions.
    pub ended_sessions: u32,
}

impl Declaration for ExpirePassword {
    type Output = PasswordExpired;
    type Refusal = AccountRefusal;

    const NAME: &'static str = "account.expire_password";
    const SENDER: Sender = Sender::Admin;
    const REFUSALS: &'static [AccountRefusal] = &[
        AccountRefusal::TargetIsAdmin,
        AccountRefusal::AccountNotFound,
        AccountRefusal::MailNotConfigured,
        AccountRefusal::EmailNotVerified,
    ];
    const EXAMPLE: &'static str = r#"{"account_id":3,"reason":"Leaked."}"#;

    fn partition_key(&self, _: Actor) -> Option<PartitionKey> {
        Some(PartitionKey::account(self.account_id))
    }
}

crate::examples! {
    PasswordExpired { "account_id": 3, "ended_sessions": 2 }
}
