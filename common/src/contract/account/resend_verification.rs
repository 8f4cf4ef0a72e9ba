//! The command `account.resend_verification`.

use poem_openapi::Object;
use serde::{Deserialize, Serialize};

use super::refusal::AccountRefusal;
use crate::contract::{
    actor::Actor,
    command::{Declaration, Sender},
    partition_key::PartitionKey,
};

/// Sends the mail that verifies the account's address again.
#[derive(Debug, Serialize, Deserialize)]
pub struct ResendVerification {}

/// A mail with a link and a code is on its way.
#[derive(Debug, Serialize, Deserialize, Object)]
#[oai(example)]
pub struct VerificationSent {
    pub email: String,
}

impl Declaration for ResendVerification {
    type Output = VerificationSent;
    type Refusal = AccountRefusal;

    const NAME: &'static str = "account.resend_verification";
    const SENDER: Sender = Sender::Player;
    const REFUSALS: &'static [AccountRefusal] = &[
        AccountRefusal::AccountNotFound,
        AccountRefusal::EmailAlreadyVerified,
        AccountRefusal::MailNotConfigured,
        AccountRefusal::TooManyMails,
    ];
    const EXAMPLE: &'static str = r#"{}"#;

    fn partition_key(&self, sender: Actor) -> Option<PartitionKey> {
        sender.partition_key()
    }
}

crate::examples! {
    VerificationSent { "email": "mira@example.org" }
}
