//! The command `account.request_password_reset`.

use poem_openapi::Object;
use serde::{Deserialize, Serialize};

use super::{refusal::AccountRefusal, values::Email};
use crate::contract::{
    actor::Actor,
    command::{Declaration, Sender},
    partition_key::PartitionKey,
};

/// Sends a link that sets a new password, if a verified address of an account is named.
#[derive(Debug, Serialize, Deserialize)]
pub struct RequestPasswordReset {
    pub email: Email,
}

/// If an account has verified the address, a mail is on its way. The output is the same if there is none.
#[derive(Debug, Serialize, Deserialize, Object)]
#[oai(example)]
pub struct PasswordResetRequested {
    pub email: String,
}

impl Declaration for RequestPasswordReset {
    type Output = PasswordResetRequested;
    type Refusal = AccountRefusal;

    const NAME: &'static str = "account.request_password_reset";
    const SENDER: Sender = Sender::Visitor;
    const REFUSALS: &'static [AccountRefusal] = &[];
    const EXAMPLE: &'static str = r#"{"email":"mira@example.org"}"#;

    fn partition_key(&self, _: Actor) -> Option<PartitionKey> {
        Some(PartitionKey::new("email", self.email.key()))
    }
}

crate::examples! {
    PasswordResetRequested { "email": "mira@example.org" }
}
