//! The command `guild.change_motd`.

use poem_openapi::Object;
use serde::{Deserialize, Serialize};

use super::{
    refusal::GuildRefusal,
    values::{GuildId, Motd},
};
use crate::contract::{
    actor::Actor,
    command::{Declaration, Locks, Sender},
    partition_key::PartitionKey,
};

/// Changes the message of the day.
#[derive(Debug, Serialize, Deserialize)]
pub struct ChangeMotd {
    pub guild_id: GuildId,
    pub motd: Motd,
}

/// The texts of a guild were changed.
#[derive(Debug, Serialize, Deserialize, Object)]
#[oai(example)]
pub struct GuildChanged {
    pub guild_id: GuildId,
    pub motd: String,
    pub description: String,
}

impl Declaration for ChangeMotd {
    type Output = GuildChanged;
    type Refusal = GuildRefusal;

    const NAME: &'static str = "guild.change_motd";
    const SENDER: Sender = Sender::Player;
    const STRANGER: Option<GuildRefusal> = Some(GuildRefusal::NotLeading);
    const REFUSALS: &'static [GuildRefusal] = &[GuildRefusal::NotLeading, GuildRefusal::GuildNotFound];
    const EXAMPLE: &'static str = r#"{"guild_id":1,"motd":"At eight."}"#;

    fn partition_key(&self, _: Actor) -> Option<PartitionKey> {
        Some(PartitionKey::new("guild", self.guild_id))
    }

    fn locks(&self, _: Actor, locks: &mut Locks) {
        locks.guild(self.guild_id);
    }
}

crate::examples! {
    GuildChanged { "guild_id": 1, "motd": "Meeting on Sunday at eight.", "description": "We guard the northern wall." }
}
