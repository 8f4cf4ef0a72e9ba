//! The command `guild.remove_logo`.

use poem_openapi::Object;
use serde::{Deserialize, Serialize};

use super::{refusal::GuildRefusal, values::GuildId};
use crate::contract::{
    actor::Actor,
    command::{Declaration, Locks, Sender},
    partition_key::PartitionKey,
};

/// Removes the logo of a guild.
#[derive(Debug, Serialize, Deserialize)]
pub struct RemoveLogo {
    pub guild_id: GuildId,
}

/// The logo of a guild was removed.
#[derive(Debug, Serialize, Deserialize, Object)]
#[oai(example)]
pub struct LogoRemoved {
    pub guild_id: GuildId,
}

impl Declaration for RemoveLogo {
    type Output = LogoRemoved;
    type Refusal = GuildRefusal;

    const NAME: &'static str = "guild.remove_logo";
    const SENDER: Sender = Sender::Player;
    const STRANGER: Option<GuildRefusal> = Some(GuildRefusal::NotLeading);
    const REFUSALS: &'static [GuildRefusal] =
        &[GuildRefusal::NotLeading, GuildRefusal::GuildNotFound, GuildRefusal::LogoNotFound];
    const EXAMPLE: &'static str = r#"{"guild_id":1}"#;

    fn partition_key(&self, _: Actor) -> Option<PartitionKey> {
        Some(PartitionKey::new("guild", self.guild_id))
    }

    fn locks(&self, _: Actor, locks: &mut Locks) {
        locks.guild(self.guild_id);
    }
}

crate::examples! {
    LogoRemoved { "guild_id": 1 }
}
