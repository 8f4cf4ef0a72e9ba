//! The command `account.cancel_character_deletion`.

use poem_openapi::Object;
use serde::{Deserialize, Serialize};

use super::refusal::AccountRefusal;
use crate::contract::{
    actor::Actor,
    character::{CharacterId, CharacterRef},
    command::{Declaration, Locks, Sender},
    partition_key::PartitionKey,
};

/// Cancels the deletion of a character.
#[derive(Debug, Serialize, Deserialize)]
pub struct CancelCharacterDeletion {
    pub character: CharacterRef,
}

/// A character will not be deleted.
#[derive(Debug, Serialize, Deserialize, Object)]
#[oai(example)]
pub struct CharacterDeletionCancelled {
    pub character_id: CharacterId,
}

impl Declaration for CancelCharacterDeletion {
    type Output = CharacterDeletionCancelled;
    type Refusal = AccountRefusal;

    const NAME: &'static str = "account.cancel_character_deletion";
    const SENDER: Sender = Sender::Player;
    const STRANGER: Option<AccountRefusal> = Some(AccountRefusal::NotYourCharacter);
    const REFUSALS: &'static [AccountRefusal] = &[
        AccountRefusal::NotYourCharacter,
        AccountRefusal::CharacterNotFound,
        AccountRefusal::CharacterNotBeingDeleted,
    ];
    const EXAMPLE: &'static str = r#"{"character":{"id":7}}"#;

    fn partition_key(&self, sender: Actor) -> Option<PartitionKey> {
        sender.partition_key()
    }

    fn locks(&self, _: Actor, locks: &mut Locks) {
        locks.character(&self.character);
    }
}

crate::examples! {
    CharacterDeletionCancelled { "character_id": 7 }
}
