//! The command `account.lift_suspension`.

use poem_openapi::Object;
use serde::{Deserialize, Serialize};

use super::refusal::AccountRefusal;
use crate::contract::{
    actor::{AccountId, Actor},
    command::{Declaration, Sender},
    partition_key::PartitionKey,
    values::Reason,
};

/// Ends the suspension of an account.
#[derive(Debug, Serialize, Deserialize)]
pub struct LiftSuspension {
    pub account_id: AccountId,
    pub reason: Reason,
}

/// The suspension of an account has ended.
#[derive(Debug, Serialize, Deserialize, Object)]
#[oai(example)]
pub struct SuspensionLifted {
    pub account_id: AccountId,
}

impl Declaration for LiftSuspension {
    type Output = SuspensionLifted;
    type Refusal = AccountRefusal;

    const NAME: &'static str = "account.lift_suspension";
    const SENDER: Sender = Sender::Admin;
    const REFUSALS: &'static [AccountRefusal] =
        &[AccountRefusal::AccountNotFound, AccountRefusal::NotSuspended];
    const EXAMPLE: &'static str = r#"{"account_id":3,"reason":"A mistake."}"#;

    fn partition_key(&self, _: Actor) -> Option<PartitionKey> {
        Some(PartitionKey::account(self.account_id))
    }
}

crate::examples! {
    SuspensionLifted { "account_id": 3 }
}
