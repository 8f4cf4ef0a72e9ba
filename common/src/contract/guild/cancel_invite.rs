//! The command `guild.cancel_invite`.

use serde::{Deserialize, Serialize};

use super::{decline_invite::InviteRemoved, refusal::GuildRefusal, values::GuildId};
use crate::contract::{
    actor::Actor,
    character::CharacterRef,
    command::{Declaration, Locks, Sender},
    partition_key::PartitionKey,
};

/// Cancels an invite of the guild.
#[derive(Debug, Serialize, Deserialize)]
pub struct CancelInvite {
    pub guild_id: GuildId,
    pub character: CharacterRef,
}

impl Declaration for CancelInvite {
    type Output = InviteRemoved;
    type Refusal = GuildRefusal;

    const NAME: &'static str = "guild.cancel_invite";
    const SENDER: Sender = Sender::Player;
    const STRANGER: Option<GuildRefusal> = Some(GuildRefusal::NotLeading);
    const REFUSALS: &'static [GuildRefusal] = &[
        GuildRefusal::NotLeading,
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
