//! The command `guild.invite`.

use chrono::{DateTime, Utc};
use poem_openapi::Object;
use serde::{Deserialize, Serialize};

use super::{refusal::GuildRefusal, values::GuildId};
use crate::contract::{
    actor::Actor,
    character::{CharacterId, CharacterRef},
    command::{Declaration, Locks, Sender},
    partition_key::PartitionKey,
};

/// Invites a character to a guild.
#[derive(Debug, Serialize, Deserialize)]
pub struct InviteCharacter {
    pub guild_id: GuildId,
    pub character: CharacterRef,
}

/// A character was invited.
#[derive(Debug, Serialize, Deserialize, Object)]
#[oai(example)]
pub struct CharacterInvited {
    pub guild_id: GuildId,
    pub character_id: CharacterId,
    pub expires_at: DateTime<Utc>,
}

impl Declaration for InviteCharacter {
    type Output = CharacterInvited;
    type Refusal = GuildRefusal;

    const NAME: &'static str = "guild.invite";
    const SENDER: Sender = Sender::Player;
    const STRANGER: Option<GuildRefusal> = Some(GuildRefusal::NotLeading);
    const REFUSALS: &'static [GuildRefusal] = &[
        GuildRefusal::NotLeading,
        GuildRefusal::GuildNotFound,
        GuildRefusal::CharacterNotFound,
        GuildRefusal::CharacterBeingDeleted,
        GuildRefusal::AlreadyInGuild,
        GuildRefusal::AlreadyInvited,
    ];
    const EXAMPLE: &'static str = r#"{"guild_id":1,"character":{"id":8}}"#;

    fn partition_key(&self, _: Actor) -> Option<PartitionKey> {
        Some(PartitionKey::new("guild", self.guild_id))
    }

    fn locks(&self, _: Actor, locks: &mut Locks) {
        locks.guild(self.guild_id);
    }
}

crate::examples! {
    CharacterInvited { "guild_id": 1, "character_id": 8, "expires_at": "2030-01-31T12:00:00Z" }
}
