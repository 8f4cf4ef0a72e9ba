//! The command `account.enable_second_factor`.

use serde::{Deserialize, Serialize};

use super::{refusal::AccountRefusal, values::SessionId};
use crate::contract::{
    actor::{AccountId, Actor},
    command::{Declaration, Sender},
    partition_key::PartitionKey,
};

/// Turns the second factor on, and ends the other sessions. The api has verified the password and the first code.
#[derive(Debug, Serialize, Deserialize)]
pub struct EnableSecondFactor {
    /// SHA-256 of the stored hash of the password that the api has verified, in hex.
    pub proven_hash: String,
    /// The encrypted secret of the authenticator app, in hex.
    pub sealed_secret: String,
    /// The time step of the first code.
    pub step: i64,
    /// SHA-256 of the account's id and each recovery code, in hex.
    pub recovery_hashes: Vec<String>,
    /// The session that sends the command. An older api does not name it; then all sessions end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kept_session: Option<SessionId>,
}

/// The account has a second factor.
#[derive(Debug, Serialize, Deserialize)]
pub struct SecondFactorEnabled {
    pub account_id: AccountId,
}

impl Declaration for EnableSecondFactor {
    type Output = SecondFactorEnabled;
    type Refusal = AccountRefusal;

    const NAME: &'static str = "account.enable_second_factor";
    const SENDER: Sender = Sender::Player;
    const REFUSALS: &'static [AccountRefusal] = &[
        AccountRefusal::AccountNotFound,
        AccountRefusal::PasswordHasChanged,
        AccountRefusal::SecondFactorEnabled,
    ];
    const EXAMPLE: &'static str =
        r#"{"proven_hash":"00ff","sealed_secret":"00ff","step":58888888,"recovery_hashes":["00ff"]}"#;

    fn partition_key(&self, sender: Actor) -> Option<PartitionKey> {
        sender.partition_key()
    }
}
