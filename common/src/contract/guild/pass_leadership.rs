//! The command `guild.pass_leadership`.

use poem_openapi::Object;
use serde::{Deserialize, Serialize};

use super::{refusal::GuildRefusal, values::GuildId};
use crate::contract::{
    actor::Actor,
    character::{CharacterId, CharacterRef},
    command::{Declaration, Locks, Sender},
    partition_key::PartitionKey,
};

/// Makes another member the leader.
#[derive(Debug, Serialize, Deserialize)]
pub struct PassLeadership {
    pub guild_id: GuildId,
    pub character: CharacterRef,
}

/// The leadership of a guild was passed on. The former leader is a vice-leader now.
#[derive(Debug, Serialize, Deserialize, Object)]
#[oai(example)]
pub struct LeadershipPassed {
    pub guild_id: GuildId,
    pub leader_id: CharacterId,
    pub former_leader_id: CharacterId,
}

impl Declaration for PassLeadership {
    type Output = LeadershipPassed;
    type Refusal = GuildRefusal;

    const NAME: &'static str = "guild.pass_leadership";
    const SENDER: Sender = Sender::Player;
    const STRANGER: Option<GuildRefusal> = Some(GuildRefusal::NotLeader);
    const REFUSALS: &'static [GuildRefusal] = &[
        GuildRefusal::NotLeader,
        GuildRefusal::GuildNotFound,
        GuildRefusal::CharacterNotFound,
        GuildRefusal::MemberNotFound,
        GuildRefusal::CharacterOnline,
        GuildRefusal::AlreadyLeader,
        GuildRefusal::CharacterBeingDeleted,
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
    LeadershipPassed { "guild_id": 1, "leader_id": 8, "former_leader_id": 7 }
}
