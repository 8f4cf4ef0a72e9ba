//! The command `account.verify_email_by_hand`.

use serde::{Deserialize, Serialize};

use super::{refusal::AccountRefusal, verify_email::EmailVerified};
use crate::contract::{
    actor::{AccountId, Actor},
    command::{Declaration, Sender},
    partition_key::PartitionKey,
    values::Reason,
};

/// Verifies the address of an account without a mail.
#[derive(Debug, Serialize, Deserialize)]
pub struct VerifyEmailByHand {
    pub account_id: AccountId,
    pub reason: Reason,
}

impl Declaration for VerifyEmailByHand {
    type Output = EmailVerified;
    type Refusal = AccountRefusal;

    const NAME: &'static str = "account.verify_email_by_hand";
    const SENDER: Sender = Sender::Admin;
    const REFUSALS: &'static [AccountRefusal] =
        &[AccountRefusal::AccountNotFound, AccountRefusal::EmailAlreadyVerified, AccountRefusal::EmailTaken];
    const EXAMPLE: &'static str = r#"{"account_id":3,"reason":"Known in person."}"#;

    fn partition_key(&self, _: Actor) -> Option<PartitionKey> {
        Some(PartitionKey::account(self.account_id))
    }
}
