//! The command `account.reset_second_factor`.

use serde::{Deserialize, Serialize};

use super::{disable_second_factor::SecondFactorDisabled, refusal::AccountRefusal};
use crate::contract::{
    actor::{AccountId, Actor},
    command::{Declaration, Sender},
    partition_key::PartitionKey,
    values::Reason,
};

/// Disables the second factor of an account whose owner has lost it.
#[derive(Debug, Serialize, Deserialize)]
pub struct ResetSecondFactor {
    pub account_id: AccountId,
    pub reason: Reason,
}

impl Declaration for ResetSecondFactor {
    type Output = SecondFactorDisabled;
    type Refusal = AccountRefusal;

    const NAME: &'static str = "account.reset_second_factor";
    const SENDER: Sender = Sender::Admin;
    const REFUSALS: &'static [AccountRefusal] = &[
        AccountRefusal::TargetIsAdmin,
        AccountRefusal::AccountNotFound,
        AccountRefusal::SecondFactorNotEnabled,
    ];
    const EXAMPLE: &'static str = r#"{"account_id":3,"reason":"Lost the phone."}"#;

    fn partition_key(&self, _: Actor) -> Option<PartitionKey> {
        Some(PartitionKey::account(self.account_id))
    }
}
