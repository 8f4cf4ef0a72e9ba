//! The command `account.register`.

use poem_openapi::Object;
use serde::{Deserialize, Serialize};

use super::{
    language::Language,
    refusal::AccountRefusal,
    values::{AccountName, Email},
};
use crate::contract::{
    actor::{AccountId, Actor},
    command::{Declaration, Sender},
    partition_key::PartitionKey,
};

/// Registers an account. Passwords and tokens are hashed before they are queued.
#[derive(Debug, Serialize, Deserialize)]
pub struct Register {
    pub name: AccountName,
    pub email: Email,
    /// A PHC string of argon2id.
    pub password_hash: String,
    #[serde(default)]
    pub language: Language,
}

/// An account was registered.
#[derive(Debug, Serialize, Deserialize, Object)]
#[oai(example)]
pub struct AccountRegistered {
    pub account_id: AccountId,
    pub name: String,
}

impl Declaration for Register {
    type Output = AccountRegistered;
    type Refusal = AccountRefusal;

    const NAME: &'static str = "account.register";
    const SENDER: Sender = Sender::Visitor;
    const REFUSALS: &'static [AccountRefusal] =
        &[AccountRefusal::NameTaken, AccountRefusal::EmailNotAccepted];
    const EXAMPLE: &'static str =
        r#"{"name":"mira","email":"mira@example.org","password_hash":"$argon2id$","language":"pt"}"#;

    fn partition_key(&self, _: Actor) -> Option<PartitionKey> {
        Some(PartitionKey::new("name", self.name.to_lowercase()))
    }
}

crate::examples! {
    AccountRegistered { "account_id": 3, "name": "mira" }
}
