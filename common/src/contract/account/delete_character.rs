//! The command `account.delete_character`.

use chrono::{DateTime, Utc};
use poem_openapi::Object;
use serde::{Deserialize, Serialize};

use super::refusal::AccountRefusal;
use crate::contract::{
    actor::Actor,
    character::{CharacterId, CharacterRef},
    command::{Declaration, Locks, Sender},
    partition_key::PartitionKey,
};

/// Requests the deletion of a character of the account. A job deletes it some days later.
#[derive(Debug, Serialize, Deserialize)]
pub struct DeleteCharacter {
    pub character: CharacterRef,
}

/// A character will be deleted. Until then, its owner can cancel it.
#[derive(Debug, Serialize, Deserialize, Object)]
#[oai(example)]
pub struct CharacterDeletionRequested {
    pub character_id: CharacterId,
    pub deletion_due_at: DateTime<Utc>,
}

impl Declaration for DeleteCharacter {
    type Output = CharacterDeletionRequested;
    type Refusal = AccountRefusal;

    const NAME: &'static str = "account.delete_character";
    const SENDER: Sender = Sender::Player;
    const STRANGER: Option<AccountRefusal> = Some(AccountRefusal::NotYourCharacter);
    const REFUSALS: &'static [AccountRefusal] = &[
        AccountRefusal::NotYourCharacter,
        AccountRefusal::CharacterNotFound,
        AccountRefusal::CharacterBelongsToGame,
        AccountRefusal::CharacterBeingDeleted,
        AccountRefusal::CharacterLeadsGuild,
        AccountRefusal::DeliveriesPending,
    ];
    const EXAMPLE: &'static str = r#"{"character":{"name":"Mira"}}"#;

    fn partition_key(&self, sender: Actor) -> Option<PartitionKey> {
        sender.partition_key()
    }

    fn locks(&self, _: Actor, locks: &mut Locks) {
        locks.character(&self.character);
    }
}

crate::examples! {
    CharacterDeletionRequested { "character_id": 7, "deletion_due_at": "2030-01-08T12:00:00Z" }
}
