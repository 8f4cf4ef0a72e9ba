//! The command `guild.change_rank`.

use poem_openapi::Object;
use serde::{Deserialize, Serialize};

use super::{
    rank::{AssignableRank, GuildRank},
    refusal::GuildRefusal,
    values::GuildId,
};
use crate::contract::{
    actor::Actor,
    character::{CharacterId, CharacterRef},
    command::{Declaration, Locks, Sender},
    partition_key::PartitionKey,
};

/// Changes the rank of a member.
#[derive(Debug, Serialize, Deserialize)]
pub struct ChangeRank {
    pub guild_id: GuildId,
    pub character: CharacterRef,
    pub rank: AssignableRank,
}

/// The rank of a member was changed.
#[derive(Debug, Serialize, Deserialize, Object)]
#[oai(example)]
pub struct RankChanged {
    pub guild_id: GuildId,
    pub character_id: CharacterId,
    pub rank: GuildRank,
}

impl Declaration for ChangeRank {
    type Output = RankChanged;
    type Refusal = GuildRefusal;

    const NAME: &'static str = "guild.change_rank";
    const SENDER: Sender = Sender::Player;
    const STRANGER: Option<GuildRefusal> = Some(GuildRefusal::NotLeader);
    const REFUSALS: &'static [GuildRefusal] = &[
        GuildRefusal::NotLeader,
        GuildRefusal::GuildNotFound,
        GuildRefusal::CharacterNotFound,
        GuildRefusal::MemberNotFound,
        GuildRefusal::CharacterOnline,
        GuildRefusal::LeaderKeepsRank,
    ];
    const EXAMPLE: &'static str = r#"{"guild_id":1,"character":{"id":8},"rank":"vice_leader"}"#;

    fn partition_key(&self, _: Actor) -> Option<PartitionKey> {
        Some(PartitionKey::new("guild", self.guild_id))
    }

    fn locks(&self, _: Actor, locks: &mut Locks) {
        locks.guild(self.guild_id);
    }
}

crate::examples! {
    RankChanged { "guild_id": 1, "character_id": 8, "rank": "vice_leader" }
}
