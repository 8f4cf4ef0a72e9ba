//! The command `account.verify_email`.

use poem_openapi::Object;
use serde::{Deserialize, Serialize};

use super::refusal::AccountRefusal;
use crate::contract::{
    actor::{AccountId, Actor},
    command::{Declaration, Sender},
    partition_key::PartitionKey,
};

/// Verifies an address by the token of a mail's link. If the account has asked for another address, this one replaces the old one.
#[derive(Debug, Serialize, Deserialize)]
pub struct VerifyEmail {
    /// SHA-256 of the token, in hex.
    pub token_hash: String,
}

/// The account has this verified address.
#[derive(Debug, Serialize, Deserialize, Object)]
#[oai(example)]
pub struct EmailVerified {
    pub account_id: AccountId,
    pub email: String,
}

impl Declaration for VerifyEmail {
    type Output = EmailVerified;
    type Refusal = AccountRefusal;

    const NAME: &'static str = "account.verify_email";
    const SENDER: Sender = Sender::Visitor;
    // The deletion of an account deletes its tokens.
    const REFUSALS: &'static [AccountRefusal] = &[AccountRefusal::TokenNotFound, AccountRefusal::EmailTaken];
    const EXAMPLE: &'static str = r#"{"token_hash":"00ff"}"#;

    fn partition_key(&self, _: Actor) -> Option<PartitionKey> {
        Some(PartitionKey::new("token", &self.token_hash))
    }
}

crate::examples! {
    EmailVerified { "account_id": 3, "email": "mira@example.org" }
}
