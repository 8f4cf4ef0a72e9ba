//! The command `guild.create`.

use poem_openapi::Object;
use serde::{Deserialize, Serialize};

use super::{
    refusal::GuildRefusal,
    values::{GuildId, GuildName},
};
use crate::contract::{
    actor::Actor,
    character::{CharacterId, CharacterRef},
    command::{Declaration, Locks, Sender},
    partition_key::PartitionKey,
};

/// Creates a guild. Its leader is a character of the account.
#[derive(Debug, Serialize, Deserialize)]
pub struct CreateGuild {
    pub name: GuildName,
    pub leader: CharacterRef,
}

/// A guild was created.
#[derive(Debug, Serialize, Deserialize, Object)]
#[oai(example)]
pub struct GuildCreated {
    pub guild_id: GuildId,
    pub name: String,
    pub leader_id: CharacterId,
}

impl Declaration for CreateGuild {
    type Output = GuildCreated;
    type Refusal = GuildRefusal;

    const NAME: &'static str = "guild.create";
    const SENDER: Sender = Sender::Player;
    const STRANGER: Option<GuildRefusal> = Some(GuildRefusal::NotYourCharacter);
    const REFUSALS: &'static [GuildRefusal] = &[
        GuildRefusal::NotYourCharacter,
        GuildRefusal::CharacterNotFound,
        GuildRefusal::CharacterBeingDeleted,
        GuildRefusal::NameTaken,
        GuildRefusal::LevelTooLow,
        GuildRefusal::AlreadyInGuild,
        GuildRefusal::CharacterNotConfirmed,
        GuildRefusal::CharacterOnline,
    ];
    const EXAMPLE: &'static str = r#"{"name":"Night Watch","leader":{"id":7}}"#;

    fn partition_key(&self, sender: Actor) -> Option<PartitionKey> {
        sender.partition_key()
    }

    fn locks(&self, _: Actor, locks: &mut Locks) {
        locks.character(&self.leader);
    }
}

crate::examples! {
    GuildCreated { "guild_id": 1, "name": "Night Watch", "leader_id": 7 }
}
