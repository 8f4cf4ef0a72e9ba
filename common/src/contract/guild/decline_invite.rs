//! The command `guild.decline_invite`.

use poem_openapi::Object;
use serde::{Deserialize, Serialize};

use super::{refusal::GuildRefusal, values::GuildId};
use crate::contract::{
    actor::Actor,
    character::{CharacterId, CharacterRef},
    command::{Declaration, Locks, Sender},
    partition_key::PartitionKey,
};

/// Declines an invite of a character of the account.
#[derive(Debug, Serialize, Deserialize)]
pub struct DeclineInvite {
    pub guild_id: GuildId,
    pub character: CharacterRef,
}

/// An invite was declined or cancelled.
#[derive(Debug, Serialize, Deserialize, Object)]
#[oai(example)]
pub struct InviteRemoved {
    pub guild_id: GuildId,
    pub character_id: CharacterId,
}

impl Declaration for DeclineInvite {
    type Output = InviteRemoved;
    type Refusal = GuildRefusal;

    const NAME: &'static str = "guild.decline_invite";
    const SENDER: Sender = Sender::Player;
    const STRANGER: Option<GuildRefusal> = Some(GuildRefusal::NotYourCharacter);
    const REFUSALS: &'static [GuildRefusal] = &[
        GuildRefusal::NotYourCharacter,
        GuildRefusal::GuildNotFound,
        GuildRefusal::CharacterNotFound,
        GuildRefusal::InviteNotFound,
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
    InviteRemoved { "guild_id": 1, "character_id": 8 }
}
