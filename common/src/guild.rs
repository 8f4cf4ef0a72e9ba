//! Guilds: commands, what comes of them, why they are refused.

use chrono::{DateTime, Utc};
use poem_openapi::{Enum, Object};
use serde::{Deserialize, Serialize};

use crate::{
    account::{CharacterId, CharacterName},
    cache::Key,
    domain, ids, refusals, texts,
    values::{LETTERS_AND_DIGITS, LINE, LINES},
};

domain! {
    GuildCommand = "guild" {
        "guild.create" => CreateGuild -> GuildCreated,
        "guild.invite" => InviteCharacter -> Invited,
        "guild.accept_invite" => AcceptInvite -> MemberJoined,
        "guild.decline_invite" => DeclineInvite -> InviteGone,
        "guild.cancel_invite" => CancelInvite -> InviteGone,
        "guild.leave" => LeaveGuild -> MemberGone,
        "guild.kick" => KickMember -> MemberGone,
        "guild.pass_leadership" => PassLeadership -> LeadershipPassed,
        "guild.change_rank" => ChangeRank -> RankChanged,
        "guild.change_motd" => ChangeMotd -> GuildChanged,
        "guild.change_description" => ChangeDescription -> GuildChanged,
        "guild.delete" => DeleteGuild -> GuildDeleted,
    }
}

texts! {
    /// Unique without regard to case.
    GuildName { 3 ..= 30, LETTERS_AND_DIGITS, "Night Watch", trimmed }
    /// Message of the day.
    Motd { 0 ..= 255, LINE, "Meeting on Sunday at eight." }
    /// What a guild says of itself.
    GuildDescription { 0 ..= 2000, LINES, "We guard the northern wall." }
}

ids! {
    /// A guild, whatever its name is.
    GuildId
}

/// What a member is in their guild.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, Enum)]
#[oai(rename_all = "snake_case")]
#[serde(rename_all = "snake_case")]
pub enum GuildRank {
    Member,
    ViceLeader,
    Leader,
}

/// The ranks that a leader can give.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Enum)]
#[oai(rename_all = "snake_case")]
#[serde(rename_all = "snake_case")]
pub enum GivenRank {
    Member,
    ViceLeader,
}

/// Names a character by its id or by its name.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CharacterRef {
    Id(CharacterId),
    Name(CharacterName),
}

/// Found a guild with a character of one's own, who becomes its leader.
#[derive(Debug, Serialize, Deserialize)]
pub struct CreateGuild {
    pub name: GuildName,
    pub leader: CharacterRef,
}

#[derive(Debug, Serialize, Deserialize)]
pub struct InviteCharacter {
    pub guild_id: GuildId,
    pub character: CharacterRef,
}

#[derive(Debug, Serialize, Deserialize)]
pub struct AcceptInvite {
    pub guild_id: GuildId,
    pub character: CharacterRef,
}

#[derive(Debug, Serialize, Deserialize)]
pub struct DeclineInvite {
    pub guild_id: GuildId,
    pub character: CharacterRef,
}

#[derive(Debug, Serialize, Deserialize)]
pub struct CancelInvite {
    pub guild_id: GuildId,
    pub character: CharacterRef,
}

#[derive(Debug, Serialize, Deserialize)]
pub struct LeaveGuild {
    pub guild_id: GuildId,
    pub character: CharacterRef,
}

#[derive(Debug, Serialize, Deserialize)]
pub struct KickMember {
    pub guild_id: GuildId,
    pub character: CharacterRef,
}

#[derive(Debug, Serialize, Deserialize)]
pub struct PassLeadership {
    pub guild_id: GuildId,
    pub character: CharacterRef,
}

#[derive(Debug, Serialize, Deserialize)]
pub struct ChangeRank {
    pub guild_id: GuildId,
    pub character: CharacterRef,
    pub rank: GivenRank,
}

#[derive(Debug, Serialize, Deserialize)]
pub struct ChangeMotd {
    pub guild_id: GuildId,
    pub motd: Motd,
}

#[derive(Debug, Serialize, Deserialize)]
pub struct ChangeDescription {
    pub guild_id: GuildId,
    pub description: GuildDescription,
}

#[derive(Debug, Serialize, Deserialize)]
pub struct DeleteGuild {
    pub guild_id: GuildId,
}

/// A guild was founded.
#[derive(Debug, Serialize, Deserialize, Object)]
#[oai(example)]
pub struct GuildCreated {
    pub guild_id: i64,
    pub name: String,
    pub leader_id: i64,
}

/// A character was invited.
#[derive(Debug, Serialize, Deserialize, Object)]
#[oai(example)]
pub struct Invited {
    pub guild_id: i64,
    pub character_id: i64,
    pub expires_at: DateTime<Utc>,
}

/// An invite was declined or cancelled.
#[derive(Debug, Serialize, Deserialize, Object)]
#[oai(example)]
pub struct InviteGone {
    pub guild_id: i64,
    pub character_id: i64,
}

/// A character joined a guild.
#[derive(Debug, Serialize, Deserialize, Object)]
#[oai(example)]
pub struct MemberJoined {
    pub guild_id: i64,
    pub character_id: i64,
    pub rank: GuildRank,
}

/// A character left a guild or was kicked from it.
#[derive(Debug, Serialize, Deserialize, Object)]
#[oai(example)]
pub struct MemberGone {
    pub guild_id: i64,
    pub character_id: i64,
}

/// A guild has a new leader; the former one is a vice-leader now.
#[derive(Debug, Serialize, Deserialize, Object)]
#[oai(example)]
pub struct LeadershipPassed {
    pub guild_id: i64,
    pub leader_id: i64,
    pub former_leader_id: i64,
}

/// A member has a new rank.
#[derive(Debug, Serialize, Deserialize, Object)]
#[oai(example)]
pub struct RankChanged {
    pub guild_id: i64,
    pub character_id: i64,
    pub rank: GuildRank,
}

/// A guild's texts were changed.
#[derive(Debug, Serialize, Deserialize, Object)]
#[oai(example)]
pub struct GuildChanged {
    pub guild_id: i64,
    pub motd: String,
    pub description: String,
}

/// A guild is no more.
#[derive(Debug, Serialize, Deserialize, Object)]
#[oai(example)]
pub struct GuildDeleted {
    pub guild_id: i64,
}

refusals! {
    GuildRefusal {
        NotFound GuildNotFound "guild_not_found" "There is no such guild.";
        NotFound CharacterNotFound "character_not_found" "There is no such character.";
        NotFound InviteNotFound "invite_not_found" "There is no open invite of this guild for this character.";
        NotFound MemberNotFound "member_not_found" "This character is not a member of this guild.";
        Forbidden NotYourCharacter "not_your_character" "This character belongs to another account.";
        Forbidden NotLeader "not_leader" "Only the leader of the guild may do this.";
        Forbidden NotLeading "not_leading" "Only the leader and the vice-leaders of the guild may do this.";
        Forbidden RankTooLow "rank_too_low" "A vice-leader may kick members only; the leader cannot be kicked.";
        Conflict NameTaken "guild_name_taken" "Another guild has this name.";
        Conflict LevelTooLow "level_too_low" "The character's level is too low to found a guild.";
        Conflict AlreadyInGuild "already_in_guild" "This character is already in a guild.";
        Conflict AlreadyInvited "already_invited" "This guild has already invited this character.";
        Conflict GuildFull "guild_full" "The guild has as many members as it can have.";
        Conflict CharacterOnline "character_online" "The character must be offline for this.";
        Conflict LeaderCannotLeave "leader_cannot_leave" "The leader cannot leave: pass the leadership on, or delete the guild.";
        Conflict AlreadyLeader "already_leader" "This character leads the guild already.";
        Conflict LeaderKeepsRank "leader_keeps_rank" "The leader's rank changes by passing the leadership on.";
    }
}

/// One guild as everybody sees it, by its name in any case.
#[must_use]
pub fn guild_key(name: &str) -> Key {
    Key::new("guild", &name.to_ascii_lowercase())
}

/// All pages of the list of guilds.
#[must_use]
pub fn guilds_key() -> Key {
    Key::new("guilds", "")
}

/// All pages and searches of the characters without a guild.
#[must_use]
pub fn free_characters_key() -> Key {
    Key::new("characters", "without-guild")
}

crate::examples! {
    GuildCreated { "guild_id": 1, "name": "Night Watch", "leader_id": 7 }
    Invited { "guild_id": 1, "character_id": 8, "expires_at": "2030-01-31T12:00:00Z" }
    InviteGone { "guild_id": 1, "character_id": 8 }
    MemberJoined { "guild_id": 1, "character_id": 8, "rank": "member" }
    MemberGone { "guild_id": 1, "character_id": 8 }
    LeadershipPassed { "guild_id": 1, "leader_id": 8, "former_leader_id": 7 }
    RankChanged { "guild_id": 1, "character_id": 8, "rank": "vice_leader" }
    GuildChanged { "guild_id": 1, "motd": "Meeting on Sunday at eight.", "description": "We guard the northern wall." }
    GuildDeleted { "guild_id": 1 }
}
