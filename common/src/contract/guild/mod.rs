//! Guilds: commands, outputs, refusals.

mod logo;
mod rank;
mod values;
mod wire_forms;

use chrono::{DateTime, Utc};
use poem_openapi::Object;
use serde::{Deserialize, Serialize};

pub use self::{
    logo::{
        ChangeLogo, LogoChanged, LogoHash, LogoPicture, LogoPictures, LogoRemoved, LogoSize, ModerateLogo,
        PictureData, PictureType, RemoveLogo,
    },
    rank::{AssignableRank, GuildAction, GuildRank},
    values::{GuildDescription, GuildId, GuildName, LogoId, Motd},
};
use super::{
    actor::Actor,
    cache_key::CacheKey,
    character::{CharacterId, CharacterRef},
    partition_key::{PartitionKey, Partitioned},
};
use crate::{domain, refusals};

domain! {
    GuildCommand = "guild" {
        "guild.create" => CreateGuild -> GuildCreated,
        "guild.invite" => InviteCharacter -> CharacterInvited,
        "guild.accept_invite" => AcceptInvite -> MemberJoined,
        "guild.decline_invite" => DeclineInvite -> InviteRemoved,
        "guild.cancel_invite" => CancelInvite -> InviteRemoved,
        "guild.leave" => LeaveGuild -> MemberRemoved,
        "guild.kick" => KickMember -> MemberRemoved,
        "guild.pass_leadership" => PassLeadership -> LeadershipPassed,
        "guild.change_rank" => ChangeRank -> RankChanged,
        "guild.change_motd" => ChangeMotd -> GuildChanged,
        "guild.change_description" => ChangeDescription -> GuildChanged,
        "guild.change_logo" => ChangeLogo -> LogoChanged,
        "guild.remove_logo" => RemoveLogo -> LogoRemoved,
        "guild.moderate_logo" => ModerateLogo -> LogoRemoved,
        "guild.delete" => DeleteGuild -> GuildDeleted,
    }
}

impl Partitioned for GuildCommand {
    fn partition_key(&self, actor: Actor) -> Option<PartitionKey> {
        let guild_id = match self {
            // The guild has no id yet.
            Self::CreateGuild(_) => return actor.partition_key(),
            Self::InviteCharacter(command) => command.guild_id,
            Self::AcceptInvite(command) => command.guild_id,
            Self::DeclineInvite(command) => command.guild_id,
            Self::CancelInvite(command) => command.guild_id,
            Self::LeaveGuild(command) => command.guild_id,
            Self::KickMember(command) => command.guild_id,
            Self::PassLeadership(command) => command.guild_id,
            Self::ChangeRank(command) => command.guild_id,
            Self::ChangeMotd(command) => command.guild_id,
            Self::ChangeDescription(command) => command.guild_id,
            Self::ChangeLogo(command) => command.guild_id,
            Self::RemoveLogo(command) => command.guild_id,
            Self::ModerateLogo(command) => command.guild_id,
            Self::DeleteGuild(command) => command.guild_id,
        };
        Some(PartitionKey::new("guild", guild_id))
    }
}

/// Creates a guild. Its leader is a character of the account.
#[derive(Debug, Serialize, Deserialize)]
pub struct CreateGuild {
    pub name: GuildName,
    pub leader: CharacterRef,
}

/// Invites a character to a guild.
#[derive(Debug, Serialize, Deserialize)]
pub struct InviteCharacter {
    pub guild_id: GuildId,
    pub character: CharacterRef,
}

/// Accepts an invite with a character of the account.
#[derive(Debug, Serialize, Deserialize)]
pub struct AcceptInvite {
    pub guild_id: GuildId,
    pub character: CharacterRef,
}

/// Declines an invite of a character of the account.
#[derive(Debug, Serialize, Deserialize)]
pub struct DeclineInvite {
    pub guild_id: GuildId,
    pub character: CharacterRef,
}

/// Cancels an invite of the guild.
#[derive(Debug, Serialize, Deserialize)]
pub struct CancelInvite {
    pub guild_id: GuildId,
    pub character: CharacterRef,
}

/// Leaves a guild with a character of the account.
#[derive(Debug, Serialize, Deserialize)]
pub struct LeaveGuild {
    pub guild_id: GuildId,
    pub character: CharacterRef,
}

/// Removes a member from a guild.
#[derive(Debug, Serialize, Deserialize)]
pub struct KickMember {
    pub guild_id: GuildId,
    pub character: CharacterRef,
}

/// Makes another member the leader.
#[derive(Debug, Serialize, Deserialize)]
pub struct PassLeadership {
    pub guild_id: GuildId,
    pub character: CharacterRef,
}

/// Changes the rank of a member.
#[derive(Debug, Serialize, Deserialize)]
pub struct ChangeRank {
    pub guild_id: GuildId,
    pub character: CharacterRef,
    pub rank: AssignableRank,
}

/// Changes the message of the day.
#[derive(Debug, Serialize, Deserialize)]
pub struct ChangeMotd {
    pub guild_id: GuildId,
    pub motd: Motd,
}

/// Changes the description of a guild.
#[derive(Debug, Serialize, Deserialize)]
pub struct ChangeDescription {
    pub guild_id: GuildId,
    pub description: GuildDescription,
}

/// Deletes a guild.
#[derive(Debug, Serialize, Deserialize)]
pub struct DeleteGuild {
    pub guild_id: GuildId,
}

/// A guild was created.
#[derive(Debug, Serialize, Deserialize, Object)]
#[oai(example)]
pub struct GuildCreated {
    pub guild_id: GuildId,
    pub name: String,
    pub leader_id: CharacterId,
}

/// A character was invited.
#[derive(Debug, Serialize, Deserialize, Object)]
#[oai(example)]
pub struct CharacterInvited {
    pub guild_id: GuildId,
    pub character_id: CharacterId,
    pub expires_at: DateTime<Utc>,
}

/// An invite was declined or cancelled.
#[derive(Debug, Serialize, Deserialize, Object)]
#[oai(example)]
pub struct InviteRemoved {
    pub guild_id: GuildId,
    pub character_id: CharacterId,
}

/// A character joined a guild.
#[derive(Debug, Serialize, Deserialize, Object)]
#[oai(example)]
pub struct MemberJoined {
    pub guild_id: GuildId,
    pub character_id: CharacterId,
    pub rank: GuildRank,
}

/// A character left a guild or was kicked from it.
#[derive(Debug, Serialize, Deserialize, Object)]
#[oai(example)]
pub struct MemberRemoved {
    pub guild_id: GuildId,
    pub character_id: CharacterId,
}

/// The leadership of a guild was passed on. The former leader is a vice-leader now.
#[derive(Debug, Serialize, Deserialize, Object)]
#[oai(example)]
pub struct LeadershipPassed {
    pub guild_id: GuildId,
    pub leader_id: CharacterId,
    pub former_leader_id: CharacterId,
}

/// The rank of a member was changed.
#[derive(Debug, Serialize, Deserialize, Object)]
#[oai(example)]
pub struct RankChanged {
    pub guild_id: GuildId,
    pub character_id: CharacterId,
    pub rank: GuildRank,
}

/// The texts of a guild were changed.
#[derive(Debug, Serialize, Deserialize, Object)]
#[oai(example)]
pub struct GuildChanged {
    pub guild_id: GuildId,
    pub motd: String,
    pub description: String,
}

/// A guild was deleted.
#[derive(Debug, Serialize, Deserialize, Object)]
#[oai(example)]
pub struct GuildDeleted {
    pub guild_id: GuildId,
}

refusals! {
    GuildRefusal {
        NotFound GuildNotFound "guild_not_found" "This guild does not exist.";
        NotFound CharacterNotFound "character_not_found" "This character does not exist.";
        NotFound InviteNotFound "invite_not_found" "This guild has no open invite for this character.";
        NotFound MemberNotFound "member_not_found" "This character is not a member of this guild.";
        NotFound LogoNotFound "logo_not_found" "This logo does not exist.";
        Forbidden NotYourCharacter "not_your_character" "This character belongs to another account.";
        Forbidden NotLeader "not_leader" "Only the leader of the guild may do this.";
        Forbidden NotLeading "not_leading" "Only the leader and the vice-leaders of the guild may do this.";
        Forbidden RankTooLow "rank_too_low" "A vice-leader may kick only members. Nobody may kick the leader.";
        Conflict NameTaken "guild_name_taken" "Another guild has this name.";
        Conflict LevelTooLow "level_too_low" "The character's level is too low to create a guild.";
        Conflict AlreadyInGuild "already_in_guild" "This character is already in a guild.";
        Conflict AlreadyInvited "already_invited" "This guild has already invited this character.";
        Conflict GuildFull "guild_full" "The guild is full.";
        Conflict CharacterNotConfirmed "character_not_confirmed" "The game has not confirmed this character yet.";
        Conflict CharacterOnline "character_online" "The character must be offline for this.";
        Conflict CharacterBeingDeleted "character_being_deleted" "This character will be deleted. Undo its deletion first.";
        Conflict LeaderCannotLeave "leader_cannot_leave" "The leader cannot leave. Pass the leadership on, or delete the guild.";
        Conflict AlreadyLeader "already_leader" "This character is already the leader of the guild.";
        Conflict LogoBlocked "logo_blocked" "The staff of the site has blocked this logo. Choose another one.";
        Conflict LogoHasChanged "logo_has_changed" "The guild has another logo now. Look at it first.";
        Conflict LeaderKeepsRank "leader_keeps_rank" "The rank of the leader cannot be changed. Pass the leadership on instead.";
    }
}

/// The public view of one guild, by its name in any case.
#[must_use]
pub fn guild_key(name: &str) -> CacheKey {
    CacheKey::new("guild", &name.to_ascii_lowercase())
}

/// All pages of the list of guilds.
#[must_use]
pub fn guilds_key() -> CacheKey {
    CacheKey::new("guilds", "")
}

crate::examples! {
    GuildCreated { "guild_id": 1, "name": "Night Watch", "leader_id": 7 }
    CharacterInvited { "guild_id": 1, "character_id": 8, "expires_at": "2030-01-31T12:00:00Z" }
    InviteRemoved { "guild_id": 1, "character_id": 8 }
    MemberJoined { "guild_id": 1, "character_id": 8, "rank": "member" }
    MemberRemoved { "guild_id": 1, "character_id": 8 }
    LeadershipPassed { "guild_id": 1, "leader_id": 8, "former_leader_id": 7 }
    RankChanged { "guild_id": 1, "character_id": 8, "rank": "vice_leader" }
    GuildChanged { "guild_id": 1, "motd": "Meeting on Sunday at eight.", "description": "We guard the northern wall." }
    GuildDeleted { "guild_id": 1 }
}
