//! The reasons to refuse these commands.

use crate::refusals;

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
