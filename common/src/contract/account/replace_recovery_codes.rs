//! The command `account.replace_recovery_codes`.

use serde::{Deserialize, Serialize};

use super::{refusal::AccountRefusal, second_factor_proof::SecondFactorProof};
use crate::contract::{
    actor::{AccountId, Actor},
    command::{Declaration, Sender},
    partition_key::PartitionKey,
};

/// Replaces all recovery codes.
#[derive(Debug, Serialize, Deserialize)]
pub struct ReplaceRecoveryCodes {
    /// As for [`EnableSecondFactor`](super::EnableSecondFactor).
    pub proven_hash: String,
    pub proof: SecondFactorProof,
    /// As for [`EnableSecondFactor`](super::EnableSecondFactor).
    pub recovery_hashes: Vec<String>,
}

/// The account has new recovery codes. The old ones are invalid.
#[derive(Debug, Serialize, Deserialize)]
pub struct RecoveryCodesReplaced {
    pub account_id: AccountId,
}

impl Declaration for ReplaceRecoveryCodes {
    type Output = RecoveryCodesReplaced;
    type Refusal = AccountRefusal;

    const NAME: &'static str = "account.replace_recovery_codes";
    const SENDER: Sender = Sender::Player;
    const REFUSALS: &'static [AccountRefusal] = &[
        AccountRefusal::AccountNotFound,
        AccountRefusal::PasswordHasChanged,
        AccountRefusal::SecondFactorNotEnabled,
        AccountRefusal::SecondFactorUsed,
    ];
    const EXAMPLE: &'static str = r#"{"proven_hash":"00ff","proof":{"step":{"step":58888888,"sealed_hash":"ff00"}},"recovery_hashes":["00ff"]}"#;

    fn partition_key(&self, sender: Actor) -> Option<PartitionKey> {
        sender.partition_key()
    }
}
