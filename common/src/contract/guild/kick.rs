//! The command `guild.kick`.

use serde::{Deserialize, Serialize};

use super::{leave::MemberRemoved, refusal::GuildRefusal, values::GuildId};
use crate::contract::{
    actor::Actor,
    character::CharacterRef,
    command::{Declaration, Locks, Sender},
    partition_key::PartitionKey,
};

/// Removes a member from a guild.
#[derive(Debug, Serialize, Deserialize)]
pub struct KickMember {
    pub guild_id: GuildId,
    pub character: CharacterRef,
}

impl Declaration for KickMember {
    type Output = MemberRemoved;
    type Refusal = GuildRefusal;

    const NAME: &'static str = "guild.kick";
    const SENDER: Sender = Sender::Player;
    const STRANGER: Option<GuildRefusal> = Some(GuildRefusal::NotLeading);
    const REFUSALS: &'static [GuildRefusal] = &[
        GuildRefusal::NotLeading,
        GuildRefusal::RankTooLow,
        GuildRefusal::GuildNotFound,
        GuildRefusal::CharacterNotFound,
        GuildRefusal::MemberNotFound,
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
