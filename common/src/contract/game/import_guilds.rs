//! The command `game.import_guilds`.

use poem_openapi::{Enum, Object};
use serde::{Deserialize, Serialize};

use super::{characters::GameCharacterId, refusal::GameRefusal};
use crate::{
    contract::{
        actor::Actor,
        command::{Declaration, Sender},
        guild::{AssignableRank, GuildId},
        partition_key::PartitionKey,
        values::{LINE, LINES, Timestamp},
    },
    text_types,
};

text_types! {
    /// The id of a guild in the game. It never changes, and no two guilds have the same one.
    GameGuildId { 1 ..= 64, r"^[!-~]+$", "world-1:7" }
    /// The name of a guild in the game.
    GameGuildName { 1 ..= 255, LINE, "Night Watch" }
    /// The message of the day in the game.
    GameMotd { 0 ..= 1000, LINES, "Winter is coming." }
    /// The nick of a member in the game.
    GameNick { 0 ..= 255, LINE, "The Wall" }
}

/// Creates guilds of a game that were not imported before, with their members.
#[derive(Debug, Serialize, Deserialize)]
pub struct ImportGuilds {
    pub guilds: Vec<GameGuild>,
}

/// A guild of a game.
#[derive(Debug, Serialize, Deserialize)]
pub struct GameGuild {
    pub game_guild_id: GameGuildId,
    pub name: GameGuildName,
    pub leader: GameCharacterId,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub motd: Option<GameMotd>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub created_at: Option<Timestamp>,
    pub members: Vec<GameGuildMember>,
}

/// A member of a guild of a game.
#[derive(Debug, Serialize, Deserialize, Object)]
#[serde(deny_unknown_fields)]
#[oai(deny_unknown_fields)]
pub struct GameGuildMember {
    pub game_character_id: GameCharacterId,
    pub rank: AssignableRank,
    /// The member gets none that the site does not allow.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nick: Option<GameNick>,
}

/// Guilds were imported.
#[derive(Debug, Serialize, Deserialize, Object)]
#[oai(example)]
pub struct GuildsImported {
    /// The guilds that exist now, in the order of the request.
    pub guilds: Vec<ImportedGuild>,
    /// The guilds that were not created, with the reasons.
    pub skipped: Vec<SkippedGuild>,
}

/// A guild that was imported, now or before.
#[derive(Debug, Serialize, Deserialize, Object)]
pub struct ImportedGuild {
    pub game_guild_id: GameGuildId,
    pub guild_id: GuildId,
    /// The name on the site.
    pub name: String,
    /// Whether this request has created the guild. Otherwise the request has changed nothing.
    pub created: bool,
    /// The characters that did not become members, with the reasons.
    pub skipped: Vec<SkippedMember>,
}

/// A character that did not become a member.
#[derive(Debug, Serialize, Deserialize, Object)]
pub struct SkippedMember {
    pub game_character_id: GameCharacterId,
    pub reason: MemberSkipReason,
}

/// A guild that was not created.
#[derive(Debug, Serialize, Deserialize, Object)]
pub struct SkippedGuild {
    pub game_guild_id: GameGuildId,
    /// Why its leader cannot lead it.
    pub reason: MemberSkipReason,
}

/// Why a character does not become a member.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Enum)]
#[oai(rename_all = "snake_case")]
#[serde(rename_all = "snake_case")]
pub enum MemberSkipReason {
    /// The site does not know a character with this id. Send the characters first.
    CharacterNotFound,
    /// The character is in another guild.
    AlreadyInGuild,
}

impl Declaration for ImportGuilds {
    type Output = GuildsImported;
    type Refusal = GameRefusal;

    const NAME: &'static str = "game.import_guilds";
    const SENDER: Sender = Sender::GameServer;
    const REFUSALS: &'static [GameRefusal] = &[GameRefusal::ImportNotAllowed];
    const EXAMPLE: &'static str = r#"{"guilds":[{"game_guild_id":"world-1:7","name":"Night Watch","leader":"world-1:812","motd":"Winter is coming.","created_at":"2020-01-31T12:00:00Z","members":[{"game_character_id":"world-1:813","rank":"member","nick":"The Wall"}]}]}"#;

    fn partition_key(&self, _: Actor) -> Option<PartitionKey> {
        None
    }
}

crate::examples! {
    GuildsImported {
        "guilds": [{
            "game_guild_id": "world-1:7", "guild_id": 12, "name": "Night Watch", "created": true,
            "skipped": [{ "game_character_id": "world-1:900", "reason": "character_not_found" }]
        }],
        "skipped": [{ "game_guild_id": "world-1:8", "reason": "already_in_guild" }]
    }
}
