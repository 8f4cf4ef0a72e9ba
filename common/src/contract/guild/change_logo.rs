//! The command `guild.change_logo`.

use poem_openapi::Object;
use serde::{Deserialize, Serialize};

use super::{
    logo::{LogoHash, LogoPictures},
    refusal::GuildRefusal,
    values::GuildId,
};
use crate::contract::{
    actor::Actor,
    command::{Declaration, Locks, Sender},
    partition_key::PartitionKey,
};

/// Changes the logo of a guild.
#[derive(Debug, Serialize, Deserialize)]
pub struct ChangeLogo {
    pub guild_id: GuildId,
    pub pictures: LogoPictures,
}

/// The logo of a guild was changed.
#[derive(Debug, Serialize, Deserialize, Object)]
#[oai(example)]
pub struct LogoChanged {
    pub guild_id: GuildId,
    pub logo: LogoHash,
}

impl Declaration for ChangeLogo {
    type Output = LogoChanged;
    type Refusal = GuildRefusal;

    const NAME: &'static str = "guild.change_logo";
    const SENDER: Sender = Sender::Player;
    const STRANGER: Option<GuildRefusal> = Some(GuildRefusal::NotLeading);
    const REFUSALS: &'static [GuildRefusal] =
        &[GuildRefusal::NotLeading, GuildRefusal::GuildNotFound, GuildRefusal::LogoBlocked];
    const EXAMPLE: &'static str = r#"{"guild_id":1,"pictures":{"small":{"type":"image/webp","data":"UklGRg=="},"medium":{"type":"image/webp","data":"UklGRg=="},"large":{"type":"image/jpeg","data":"/9j/4A=="}}}"#;

    fn partition_key(&self, _: Actor) -> Option<PartitionKey> {
        Some(PartitionKey::new("guild", self.guild_id))
    }

    fn locks(&self, _: Actor, locks: &mut Locks) {
        locks.guild(self.guild_id);
    }
}

crate::examples! {
    LogoChanged {
        "guild_id": 1, "logo": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
    }
}
