//! The command `account.add_note`.

use poem_openapi::Object;
use serde::{Deserialize, Serialize};

use super::{
    refusal::AccountRefusal,
    values::{AccountNoteId, NoteText},
};
use crate::contract::{
    actor::{AccountId, Actor},
    command::{Declaration, Sender},
    partition_key::PartitionKey,
};

/// Adds a note about an account.
#[derive(Debug, Serialize, Deserialize)]
pub struct AddAccountNote {
    pub account_id: AccountId,
    pub text: NoteText,
}

/// A note was added.
#[derive(Debug, Serialize, Deserialize, Object)]
#[oai(example)]
pub struct AccountNoteAdded {
    pub note_id: AccountNoteId,
}

impl Declaration for AddAccountNote {
    type Output = AccountNoteAdded;
    type Refusal = AccountRefusal;

    const NAME: &'static str = "account.add_note";
    const SENDER: Sender = Sender::Admin;
    const REFUSALS: &'static [AccountRefusal] = &[AccountRefusal::AccountNotFound];
    const EXAMPLE: &'static str = r#"{"account_id":3,"text":"Asked twice."}"#;

    fn partition_key(&self, _: Actor) -> Option<PartitionKey> {
        Some(PartitionKey::account(self.account_id))
    }
}

crate::examples! {
    AccountNoteAdded { "note_id": 1 }
}
