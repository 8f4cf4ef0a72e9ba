//! The command `guild.delete`.

use poem_openapi::Object;
use serde::{Deserialize, Serialize};

use super::{refusal::GuildRefusal, values::GuildId};
use crate::contract::{
    actor::Actor,
    command::{Declaration, Locks, Sender},
    partition_key::PartitionKey,
};

/// Deletes a guild.
#[derive(Debug, Serialize, Deserialize)]
pub struct DeleteGuild {
    pub guild_id: GuildId,
}

/// A guild was deleted.
#[derive(Debug, Serialize, Deserialize, Object)]
#[oai(example)]
pub struct GuildDeleted {
    pub guild_id: GuildId,
}

impl Declaration for DeleteGuild {
    type Output = GuildDeleted;
    type Refusal = GuildRefusal;

    const NAME: &'static str = "guild.delete";
    const SENDER: Sender = Sender::Player;
    const STRANGER: Option<GuildRefusal> = Some(GuildRefusal::NotLeader);
    const REFUSALS: &'static [GuildRefusal] =
        &[GuildRefusal::NotLeader, GuildRefusal::GuildNotFound, GuildRefusal::CharacterOnline];
    const EXAMPLE: &'static str = r#"{"guild_id":1}"#;

    fn partition_key(&self, _: Actor) -> Option<PartitionKey> {
        Some(PartitionKey::new("guild", self.guild_id))
    }

    fn locks(&self, _: Actor, locks: &mut Locks) {
        locks.deleted_guild(self.guild_id);
    }
}

crate::examples! {
    GuildDeleted { "guild_id": 1 }
}
