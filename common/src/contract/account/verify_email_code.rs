//! The command `account.verify_email_code`.

use serde::{Deserialize, Serialize};

use super::{refusal::AccountRefusal, verify_email::EmailVerified};
use crate::contract::{
    actor::Actor,
    command::{Declaration, Sender},
    partition_key::PartitionKey,
};

/// Verifies an address by the code of a mail. The output is none if the code is wrong. A refusal would roll back the counter of
/// wrong codes.
#[derive(Debug, Serialize, Deserialize)]
pub struct VerifyEmailCode {
    /// SHA-256 of the account's id and the code, in hex.
    pub code_hash: String,
}

impl Declaration for VerifyEmailCode {
    type Output = Option<EmailVerified>;
    type Refusal = AccountRefusal;

    const NAME: &'static str = "account.verify_email_code";
    const SENDER: Sender = Sender::Player;
    // The deletion of an account deletes its codes.
    const REFUSALS: &'static [AccountRefusal] = &[AccountRefusal::EmailTaken];
    const EXAMPLE: &'static str = r#"{"code_hash":"00ff"}"#;

    fn partition_key(&self, sender: Actor) -> Option<PartitionKey> {
        sender.partition_key()
    }
}
