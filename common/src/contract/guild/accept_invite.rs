//! The command `guild.accept_invite`.

use poem_openapi::Object;
use serde::{Deserialize, Serialize};

use super::{rank::GuildRank, refusal::GuildRefusal, values::GuildId};
use crate::contract::{
    actor::Actor,
    character::{CharacterId, CharacterRef},
    command::{Declaration, Locks, Sender},
    partition_key::PartitionKey,
};

/// Accepts an invite with a character of the account.
#[derive(Debug, Serialize, Deserialize)]
pub struct AcceptInvite {
    pub guild_id: GuildId,
    pub character: CharacterRef,
}

/// A character joined a guild.
#[derive(Debug, Serialize, Deserialize, Object)]
#[oai(example)]
pub struct MemberJoined {
    pub guild_id: GuildId,
    pub character_id: CharacterId,
    pub rank: GuildRank,
}

impl Declaration for AcceptInvite {
    type Output = MemberJoined;
    type Refusal = GuildRefusal;

    const NAME: &'static str = "guild.accept_invite";
    const SENDER: Sender = Sender::Player;
    const STRANGER: Option<GuildRefusal> = Some(GuildRefusal::NotYourCharacter);
    const REFUSALS: &'static [GuildRefusal] = &[
        GuildRefusal::NotYourCharacter,
        GuildRefusal::GuildNotFound,
        GuildRefusal::CharacterNotFound,
        GuildRefusal::InviteNotFound,
        GuildRefusal::CharacterBeingDeleted,
        GuildRefusal::AlreadyInGuild,
        GuildRefusal::GuildFull,
        GuildRefusal::CharacterNotConfirmed,
        GuildRefusal::CharacterOnline,
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
    MemberJoined { "guild_id": 1, "character_id": 8, "rank": "member" }
}
