//! The command `account.change_email`.

use poem_openapi::Object;
use serde::{Deserialize, Serialize};

use super::{refusal::AccountRefusal, values::Email};
use crate::contract::{
    actor::Actor,
    command::{Declaration, Sender},
    partition_key::PartitionKey,
};

/// Asks for another address. The account keeps its address until the new one is verified.
#[derive(Debug, Serialize, Deserialize)]
pub struct ChangeEmail {
    pub email: Email,
    /// SHA-256 of the stored hash of the password that the api has verified, in hex.
    pub proven_hash: String,
}

/// The new address received a mail. The account has the address when it is verified.
#[derive(Debug, Serialize, Deserialize, Object)]
#[oai(example)]
pub struct EmailChangeRequested {
    pub new_email: String,
}

impl Declaration for ChangeEmail {
    type Output = EmailChangeRequested;
    type Refusal = AccountRefusal;

    const NAME: &'static str = "account.change_email";
    const SENDER: Sender = Sender::Player;
    const REFUSALS: &'static [AccountRefusal] = &[
        AccountRefusal::AccountNotFound,
        AccountRefusal::PasswordHasChanged,
        AccountRefusal::EmailUnchanged,
        AccountRefusal::EmailNotAccepted,
        AccountRefusal::MailNotConfigured,
        AccountRefusal::TooManyMails,
    ];
    const EXAMPLE: &'static str = r#"{"email":"new@example.org","proven_hash":"00ff"}"#;

    fn partition_key(&self, sender: Actor) -> Option<PartitionKey> {
        sender.partition_key()
    }
}

crate::examples! {
    EmailChangeRequested { "new_email": "new@example.org" }
}
