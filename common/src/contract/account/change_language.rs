//! The command `account.change_language`.

use poem_openapi::Object;
use serde::{Deserialize, Serialize};

use super::{language::Language, refusal::AccountRefusal};
use crate::contract::{
    actor::Actor,
    command::{Declaration, Sender},
    partition_key::PartitionKey,
};

/// Changes the language of the account's mails.
#[derive(Debug, Serialize, Deserialize)]
pub struct ChangeLanguage {
    pub language: Language,
}

/// The language of an account's mails was changed.
#[derive(Debug, Serialize, Deserialize, Object)]
#[oai(example)]
pub struct LanguageChanged {
    pub language: Language,
}

impl Declaration for ChangeLanguage {
    type Output = LanguageChanged;
    type Refusal = AccountRefusal;

    const NAME: &'static str = "account.change_language";
    const SENDER: Sender = Sender::Player;
    const REFUSALS: &'static [AccountRefusal] = &[AccountRefusal::AccountNotFound];
    const EXAMPLE: &'static str = r#"{"language":"pt"}"#;

    fn partition_key(&self, sender: Actor) -> Option<PartitionKey> {
        sender.partition_key()
    }
}

crate::examples! {
    LanguageChanged { "language": "pt" }
}
