//! The command `account.create_character`.

use poem_openapi::Object;
use serde::{Deserialize, Serialize};

use super::refusal::AccountRefusal;
use crate::contract::{
    actor::Actor,
    character::{CharacterId, CharacterName, Vocation},
    command::{Declaration, Sender},
    partition_key::PartitionKey,
};

/// Creates a character of the account.
#[derive(Debug, Serialize, Deserialize)]
pub struct CreateCharacter {
    pub name: CharacterName,
    pub vocation: Vocation,
}

/// A character was created.
#[derive(Debug, Serialize, Deserialize, Object)]
#[oai(example)]
pub struct CharacterCreated {
    pub character_id: CharacterId,
    pub name: String,
    pub level: i32,
    pub vocation: String,
}

impl Declaration for CreateCharacter {
    type Output = CharacterCreated;
    type Refusal = AccountRefusal;

    const NAME: &'static str = "account.create_character";
    const SENDER: Sender = Sender::Player;
    const REFUSALS: &'static [AccountRefusal] = &[
        AccountRefusal::AccountNotFound,
        AccountRefusal::CharacterNameNotAllowed,
        AccountRefusal::CharacterNameTaken,
        AccountRefusal::TooManyCharacters,
    ];
    const EXAMPLE: &'static str = r#"{"name":"Mira Stormborn","vocation":"Elder Druid"}"#;

    fn partition_key(&self, sender: Actor) -> Option<PartitionKey> {
        sender.partition_key()
    }
}

crate::examples! {
    CharacterCreated { "character_id": 7, "name": "Mira Stormborn", "level": 1, "vocation": "Elder Druid" }
}
