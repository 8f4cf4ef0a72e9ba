//! The command `guild.set_nick`.

use poem_openapi::Object;
use serde::{Deserialize, Serialize};

use super::{refusal::GuildRefusal, values::GuildId};
use crate::{
    contract::{
        actor::Actor,
        character::{CharacterId, CharacterRef},
        command::{Declaration, Locks, Sender},
        partition_key::PartitionKey,
        values::LINE,
    },
    text_types,
};

text_types! {
    /// The nick of a member in its guild. Empty: none.
    Nick { 0 ..= 15, LINE, "The Wall", trimmed }
}

/// Sets the nick of a member in the guild. An empty nick removes it.
#[derive(Debug, Serialize, Deserialize)]
pub struct SetNick {
    pub guild_id: GuildId,
    pub character: CharacterRef,
    pub nick: Nick,
}

/// The nick of a member was set or removed.
#[derive(Debug, Serialize, Deserialize, Object)]
#[oai(example)]
pub struct NickSet {
    pub guild_id: GuildId,
    pub character_id: CharacterId,
    /// Empty: the member has no nick.
    pub nick: String,
}

impl Declaration for SetNick {
    type Output = NickSet;
    type Refusal = GuildRefusal;

    const NAME: &'static str = "guild.set_nick";
    const SENDER: Sender = Sender::Player;
    const STRANGER: Option<GuildRefusal> = Some(GuildRefusal::NotLeading);
    const REFUSALS: &'static [GuildRefusal] = &[
        GuildRefusal::NotLeading,
        GuildRefusal::GuildNotFound,
        GuildRefusal::CharacterNotFound,
        GuildRefusal::MemberNotFound,
    ];
    const EXAMPLE: &'static str = r#"{"guild_id":1,"character":{"id":8},"nick":"The Wall"}"#;

    fn partition_key(&self, _: Actor) -> Option<PartitionKey> {
        Some(PartitionKey::new("guild", self.guild_id))
    }

    fn locks(&self, _: Actor, locks: &mut Locks) {
        locks.guild(self.guild_id);
    }
}

crate::examples! {
    NickSet { "guild_id": 1, "character_id": 8, "nick": "The Wall" }
}
