//! The command `guild.change_description`.

use serde::{Deserialize, Serialize};

use super::{
    change_motd::GuildChanged,
    refusal::GuildRefusal,
    values::{GuildDescription, GuildId},
};
use crate::contract::{
    actor::Actor,
    command::{Declaration, Locks, Sender},
    partition_key::PartitionKey,
};

/// Changes the description of a guild.
#[derive(Debug, Serialize, Deserialize)]
pub struct ChangeDescription {
    pub guild_id: GuildId,
    pub description: GuildDescription,
}

impl Declaration for ChangeDescription {
    type Output = GuildChanged;
    type Refusal = GuildRefusal;

    const NAME: &'static str = "guild.change_description";
    const SENDER: Sender = Sender::Player;
    const STRANGER: Option<GuildRefusal> = Some(GuildRefusal::NotLeading);
    const REFUSALS: &'static [GuildRefusal] = &[GuildRefusal::NotLeading, GuildRefusal::GuildNotFound];
    const EXAMPLE: &'static str = r#"{"guild_id":1,"description":"Two\nlines."}"#;

    fn partition_key(&self, _: Actor) -> Option<PartitionKey> {
        Some(PartitionKey::new("guild", self.guild_id))
    }

    fn locks(&self, _: Actor, locks: &mut Locks) {
        locks.guild(self.guild_id);
    }
}
