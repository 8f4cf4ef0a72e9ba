//! The ranks in a guild, and the actions that each rank may take. `migrations/0017_guild_ranks.sql` is the SQL form: the rank of a
//! member, and the members with which an account may act.

use poem_openapi::Enum;
use serde::{Deserialize, Serialize};

use super::refusal::GuildRefusal;

/// The rank of a member in a guild.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, Enum, sqlx::Type)]
#[oai(rename_all = "snake_case")]
#[serde(rename_all = "snake_case")]
// The numbers are those of the SQL function `guild_rank`.
#[repr(i16)]
pub enum GuildRank {
    Member = 1,
    ViceLeader = 2,
    Leader = 3,
}

/// The ranks that a leader can assign. They are stored; the leader's rank follows from the guild.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Enum, sqlx::Type)]
#[oai(rename_all = "snake_case")]
#[serde(rename_all = "snake_case")]
#[repr(i16)]
pub enum AssignableRank {
    Member = 1,
    ViceLeader = 2,
}

impl From<AssignableRank> for GuildRank {
    fn from(assigned: AssignableRank) -> Self {
        match assigned {
            AssignableRank::Member => Self::Member,
            AssignableRank::ViceLeader => Self::ViceLeader,
        }
    }
}

macro_rules! guild_actions {
    ($($action:ident => [$($rank:ident),*],)+) => {
        /// An action in a guild that needs permission.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Enum)]
        #[oai(rename_all = "snake_case")]
        #[serde(rename_all = "snake_case")]
        pub enum GuildAction {
            $($action,)+
        }

        impl GuildAction {
            pub const ALL: &[Self] = &[$(Self::$action),+];

            /// The ranks that may take the action. None for an action that needs an invite instead of a rank.
            #[must_use]
            pub fn ranks(self) -> &'static [GuildRank] {
                match self {
                    $(Self::$action => &[$(GuildRank::$rank),*],)+
                }
            }
        }
    };
}

guild_actions! {
    AcceptInvite => [],
    DeclineInvite => [],
    Leave => [Member, ViceLeader],
    Invite => [ViceLeader, Leader],
    CancelInvite => [ViceLeader, Leader],
    Kick => [ViceLeader, Leader],
    ChangeMotd => [ViceLeader, Leader],
    ChangeDescription => [ViceLeader, Leader],
    ChangeLogo => [ViceLeader, Leader],
    SetNick => [ViceLeader, Leader],
    ChangeRank => [Leader],
    PassLeadership => [Leader],
    Delete => [Leader],
}

impl GuildAction {
    /// The actions that a character may take. No rank: it is not a member. `can_join` means an open invite and no guild.
    pub fn allowed(rank: Option<GuildRank>, can_join: bool) -> impl Iterator<Item = Self> {
        Self::ALL.iter().copied().filter(move |action| match rank {
            Some(rank) => action.is_allowed(rank),
            None => can_join && action.ranks().is_empty(),
        })
    }

    /// Whether a member of this rank may take it.
    #[must_use]
    pub fn is_allowed(self, rank: GuildRank) -> bool {
        self.ranks().contains(&rank)
    }

    /// The refusal of an account that has no member of its ranks.
    #[must_use]
    pub fn missing_rank(self) -> GuildRefusal {
        match self.ranks() {
            [GuildRank::Leader] => GuildRefusal::NotLeader,
            _ => GuildRefusal::NotLeading,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{GuildAction, GuildRank};

    fn may(rank: Option<GuildRank>, can_join: bool) -> serde_json::Value {
        serde_json::to_value(GuildAction::allowed(rank, can_join).collect::<Vec<_>>()).unwrap()
    }

    #[test]
    fn each_rank_has_its_actions() {
        let member = serde_json::json!(["leave"]);
        let vice_leader = serde_json::json!([
            "leave",
            "invite",
            "cancel_invite",
            "kick",
            "change_motd",
            "change_description",
            "change_logo",
            "set_nick"
        ]);
        let leader = serde_json::json!([
            "invite",
            "cancel_invite",
            "kick",
            "change_motd",
            "change_description",
            "change_logo",
            "set_nick",
            "change_rank",
            "pass_leadership",
            "delete"
        ]);
        for can_join in [false, true] {
            assert_eq!(may(Some(GuildRank::Member), can_join), member);
            assert_eq!(may(Some(GuildRank::ViceLeader), can_join), vice_leader);
            assert_eq!(may(Some(GuildRank::Leader), can_join), leader);
        }
    }

    #[test]
    fn only_an_invited_character_may_join() {
        assert_eq!(may(None, true), serde_json::json!(["accept_invite", "decline_invite"]));
        assert_eq!(may(None, false), serde_json::json!([]));
    }

    #[test]
    fn leader_can_do_everything_except_leave() {
        for &action in GuildAction::ALL {
            let needs_rank = !action.ranks().is_empty();
            assert_eq!(
                action.is_allowed(GuildRank::Leader),
                needs_rank && action != GuildAction::Leave,
                "{action:?}"
            );
        }
    }
}
