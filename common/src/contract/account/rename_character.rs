//! The command `account.rename_character`.

use poem_openapi::Object;
use serde::{Deserialize, Serialize};

use super::refusal::AccountRefusal;
use crate::contract::{
    actor::Actor,
    character::{CharacterId, CharacterName, CharacterRef},
    command::{Declaration, Locks, Sender},
    partition_key::PartitionKey,
};

/// Renames a character of the account.
#[derive(Debug, Serialize, Deserialize)]
pub struct RenameCharacter {
    pub character: CharacterRef,
    pub new_name: CharacterName,
}

/// A character was renamed.
#[derive(Debug, Serialize, Deserialize, Object)]
#[oai(example)]
pub struct CharacterRenamed {
    pub character_id: CharacterId,
    pub former_name: String,
    pub name: String,
    /// The coins that the account paid.
    pub coins: i64,
}

impl Declaration for RenameCharacter {
    type Output = CharacterRenamed;
    type Refusal = AccountRefusal;

    const NAME: &'static str = "account.rename_character";
    const SENDER: Sender = Sender::Player;
    const STRANGER: Option<AccountRefusal> = Some(AccountRefusal::NotYourCharacter);
    const REFUSALS: &'static [AccountRefusal] = &[
        AccountRefusal::NotYourCharacter,
        AccountRefusal::CharacterNotFound,
        AccountRefusal::CharacterBelongsToGame,
        AccountRefusal::CharacterBeingDeleted,
        AccountRefusal::CharacterNameNotAllowed,
        AccountRefusal::CharacterNameUnchanged,
        AccountRefusal::CharacterNameTaken,
        AccountRefusal::DeliveriesPending,
        AccountRefusal::NotEnoughCoins,
    ];
    const EXAMPLE: &'static str = r#"{"character":{"id":7},"new_name":"Mira Ashwood"}"#;

    fn partition_key(&self, sender: Actor) -> Option<PartitionKey> {
        sender.partition_key()
    }

    fn locks(&self, sender: Actor, locks: &mut Locks) {
        locks.character(&self.character);
        // A new name may cost coins.
        locks.coins_of(sender);
    }
}

crate::examples! {
    CharacterRenamed { "character_id": 7, "former_name": "Mira Stormborn", "name": "Mira Ashwood", "coins": 50 }
}
