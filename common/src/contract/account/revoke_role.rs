//! The command `account.revoke_role`.

use poem_openapi::Object;
use serde::{Deserialize, Serialize};

use super::{refusal::AccountRefusal, role::StaffRole};
use crate::contract::{
    actor::{AccountId, Actor},
    command::{Declaration, Sender},
    partition_key::PartitionKey,
};

/// Takes a role from an account.
#[derive(Debug, Serialize, Deserialize)]
pub struct RevokeRole {
    pub account_id: AccountId,
    pub role: StaffRole,
}

/// A role was taken.
#[derive(Debug, Serialize, Deserialize, Object)]
#[oai(example)]
pub struct RoleRevoked {
    pub account_id: AccountId,
    pub role: StaffRole,
}

impl Declaration for RevokeRole {
    type Output = RoleRevoked;
    type Refusal = AccountRefusal;

    const NAME: &'static str = "account.revoke_role";
    const SENDER: Sender = Sender::Admin;
    const REFUSALS: &'static [AccountRefusal] =
        &[AccountRefusal::AccountNotFound, AccountRefusal::RoleUnchanged, AccountRefusal::LastAdmin];
    const EXAMPLE: &'static str = r#"{"account_id":3,"role":"editor"}"#;

    fn partition_key(&self, _: Actor) -> Option<PartitionKey> {
        Some(PartitionKey::account(self.account_id))
    }
}

crate::examples! {
    RoleRevoked { "account_id": 3, "role": "editor" }
}
