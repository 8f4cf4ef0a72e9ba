//! The ranks in a guild, and the actions that each rank allows.

use poem_openapi::Enum;
use serde::{Deserialize, Serialize};

/// The rank of a member in a guild.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, Enum, sqlx::Type)]
#[oai(rename_all = "snake_case")]
#[serde(rename_all = "snake_case")]
#[sqlx(type_name = "text", rename_all = "snake_case")]
pub enum GuildRank {
    Member,
    ViceLeader,
    Leader,
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

impl GuildRank {
    /// The rank of a member: the stored rank, unless the member is the leader of the guild.
    #[must_use]
    pub fn of_member(stored: AssignableRank, is_leader: bool) -> Self {
        match stored {
            _ if is_leader => Self::Leader,
            AssignableRank::Member => Self::Member,
            AssignableRank::ViceLeader => Self::ViceLeader,
        }
    }
}

macro_rules! guild_actions {
    ($($action:ident => $minimum_rank:expr,)+) => {
        /// An action in a guild that needs permission.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Enum)]
        #[oai(rename_all = "snake_case")]
        #[serde(rename_all = "snake_case")]
        pub enum GuildAction {
            $($action,)+
        }

        impl GuildAction {
            pub const ALL: &[Self] = &[$(Self::$action),+];

            /// The lowest rank that allows the action. None for an action that needs an invite instead of a rank.
            #[must_use]
            pub fn minimum_rank(self) -> Option<GuildRank> {
                match self {
                    $(Self::$action => $minimum_rank,)+
                }
            }
        }
    };
}

guild_actions! {
    AcceptInvite => None,
    DeclineInvite => None,
    Leave => Some(GuildRank::Member),
    Invite => Some(GuildRank::ViceLeader),
    CancelInvite => Some(GuildRank::ViceLeader),
    Kick => Some(GuildRank::ViceLeader),
    ChangeMotd => Some(GuildRank::ViceLeader),
    ChangeDescription => Some(GuildRank::ViceLeader),
    ChangeLogo => Some(GuildRank::ViceLeader),
    SetNick => Some(GuildRank::ViceLeader),
    ChangeRank => Some(GuildRank::Leader),
    PassLeadership => Some(GuildRank::Leader),
    Delete => Some(GuildRank::Leader),
}

impl GuildAction {
    /// Whether a member of this rank may do it. The leader may do everything except leave.
    #[must_use]
    pub fn is_allowed(self, rank: GuildRank) -> bool {
        let is_leader_leaving = self == Self::Leave && rank == GuildRank::Leader;
        !is_leader_leaving && self.minimum_rank().is_some_and(|minimum| rank >= minimum)
    }
}

#[cfg(test)]
mod tests {
    use super::{GuildAction, GuildRank};

    #[test]
    fn leader_can_do_everything_except_leave() {
        for &action in GuildAction::ALL {
            let needs_invite = action.minimum_rank().is_none();
            assert_eq!(
                action.is_allowed(GuildRank::Leader),
                !needs_invite && action != GuildAction::Leave,
                "{action:?}"
            );
        }
    }

    #[test]
    fn plain_member_can_only_leave() {
        let allowed = GuildAction::ALL.iter().copied().filter(|action| action.is_allowed(GuildRank::Member));
        assert_eq!(allowed.collect::<Vec<_>>(), [GuildAction::Leave]);
    }
}
