//! The command `guild.leave`.

use poem_openapi::Object;
use serde::{Deserialize, Serialize};

use super::{refusal::GuildRefusal, values::GuildId};
use crate::contract::{
    actor::Actor,
    character::{CharacterId, CharacterRef},
    command::{Declaration, Locks, Sender},
    partition_key::PartitionKey,
};

/// Leaves a guild with a character of the account.
#[derive(Debug, Serialize, Deserialize)]
pub struct LeaveGuild {
    pub guild_id: GuildId,
    pub character: CharacterRef,
}

/// A character left a guild or was kicked from it.
#[derive(Debug, Serialize, Deserialize, Object)]
#[oai(example)]
pub struct MemberRemoved {
    pub guild_id: GuildId,
    pub character_id: CharacterId,
}

impl Declaration for LeaveGuild {
    type Output = MemberRemoved;
    type Refusal = GuildRefusal;

    const NAME: &'static str = "guild.leave";
    const SENDER: Sender = Sender::Player;
    const STRANGER: Option<GuildRefusal> = Some(GuildRefusal::NotYourCharacter);
    const REFUSALS: &'static [GuildRefusal] = &[
        GuildRefusal::NotYourCharacter,
        GuildRefusal::GuildNotFound,
        GuildRefusal::CharacterNotFound,
        GuildRefusal::MemberNotFound,
        GuildRefusal::CharacterOnline,
        GuildRefusal::LeaderCannotLeave,
    ];
    const EXAMPLE: &'static str = r#"{"guild_id":1,"character":{"id":8}}"#;

    fn partition_key(&self, _: Actor) -> Option<PartitionKey> {
        Some(PartitionKey::new("guild", self.guild_id))
    }

    fn locks(&self, _: Actor, locks: &mut Locks) {
        locks.guild(self.guild_id);
        locks.character(&self.character);
    }
}

crate::examples! {
    MemberRemoved { "guild_id": 1, "character_id": 8 }
}
