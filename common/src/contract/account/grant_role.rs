//! The command `account.grant_role`.

use poem_openapi::Object;
use serde::{Deserialize, Serialize};

use super::{refusal::AccountRefusal, role::StaffRole};
use crate::contract::{
    actor::{AccountId, Actor},
    command::{Declaration, Sender},
    partition_key::PartitionKey,
};

/// Gives a role to an account.
#[derive(Debug, Serialize, Deserialize)]
pub struct GrantRole {
    pub account_id: AccountId,
    pub role: StaffRole,
}

/// A role was given, or proposed.
#[derive(Debug, Serialize, Deserialize, Object)]
#[oai(example)]
pub struct RoleGranted {
    pub account_id: AccountId,
    pub role: StaffRole,
    /// False: another administrator must send the same request within a day.
    pub effective: bool,
}

impl Declaration for GrantRole {
    type Output = RoleGranted;
    type Refusal = AccountRefusal;

    const NAME: &'static str = "account.grant_role";
    const SENDER: Sender = Sender::Admin;
    const REFUSALS: &'static [AccountRefusal] =
        &[AccountRefusal::AccountNotFound, AccountRefusal::RoleUnchanged];
    const EXAMPLE: &'static str = r#"{"account_id":3,"role":"editor"}"#;

    fn partition_key(&self, _: Actor) -> Option<PartitionKey> {
        Some(PartitionKey::account(self.account_id))
    }
}

crate::examples! {
    RoleGranted { "account_id": 3, "role": "editor", "effective": true }
}
