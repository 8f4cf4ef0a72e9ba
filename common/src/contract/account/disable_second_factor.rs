//! The command `account.disable_second_factor`.

use poem_openapi::Object;
use serde::{Deserialize, Serialize};

use super::{refusal::AccountRefusal, second_factor_proof::SecondFactorProof};
use crate::contract::{
    actor::{AccountId, Actor},
    command::{Declaration, Sender},
    partition_key::PartitionKey,
};

/// Turns the second factor off.
#[derive(Debug, Serialize, Deserialize)]
pub struct DisableSecondFactor {
    /// As for [`EnableSecondFactor`](super::EnableSecondFactor).
    pub proven_hash: String,
    pub proof: SecondFactorProof,
}

/// The account has no second factor. Its recovery codes are invalid, and no device is trusted.
#[derive(Debug, Serialize, Deserialize, Object)]
#[oai(example)]
pub struct SecondFactorDisabled {
    pub account_id: AccountId,
}

impl Declaration for DisableSecondFactor {
    type Output = SecondFactorDisabled;
    type Refusal = AccountRefusal;

    const NAME: &'static str = "account.disable_second_factor";
    const SENDER: Sender = Sender::Player;
    const REFUSALS: &'static [AccountRefusal] = &[
        AccountRefusal::AccountNotFound,
        AccountRefusal::PasswordHasChanged,
        AccountRefusal::SecondFactorNotEnabled,
        AccountRefusal::SecondFactorUsed,
    ];
    const EXAMPLE: &'static str = r#"{"proven_hash":"00ff","proof":{"recovery_hash":"00ff"}}"#;

    fn partition_key(&self, sender: Actor) -> Option<PartitionKey> {
        sender.partition_key()
    }
}

crate::examples! {
    SecondFactorDisabled { "account_id": 3 }
}
