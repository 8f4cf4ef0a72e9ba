//! The command `guild.moderate_logo`.

use serde::{Deserialize, Serialize};

use super::{logo::LogoHash, refusal::GuildRefusal, remove_logo::LogoRemoved, values::GuildId};
use crate::contract::{
    actor::Actor,
    command::{Declaration, Locks, Sender},
    partition_key::PartitionKey,
    values::Reason,
};

/// Removes the logo of any guild, because it breaks the rules of the site.
#[derive(Debug, Serialize, Deserialize)]
pub struct ModerateLogo {
    pub guild_id: GuildId,
    /// The logo that the guild must have.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub logo: Option<LogoHash>,
    pub reason: Reason,
    /// Whether no guild may have this logo any more.
    pub block: bool,
}

impl Declaration for ModerateLogo {
    type Output = LogoRemoved;
    type Refusal = GuildRefusal;

    const NAME: &'static str = "guild.moderate_logo";
    const SENDER: Sender = Sender::Editor;
    const REFUSALS: &'static [GuildRefusal] =
        &[GuildRefusal::GuildNotFound, GuildRefusal::LogoNotFound, GuildRefusal::LogoHasChanged];
    const EXAMPLE: &'static str = r#"{"guild_id":1,"reason":"An insult.","block":true}"#;

    fn partition_key(&self, _: Actor) -> Option<PartitionKey> {
        Some(PartitionKey::new("guild", self.guild_id))
    }

    fn locks(&self, _: Actor, locks: &mut Locks) {
        locks.guild(self.guild_id);
    }
}
