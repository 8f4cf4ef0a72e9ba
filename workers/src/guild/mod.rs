//! Guilds: the match on the command. The loads in `access` check the rights of the account.

mod accept_invite;
mod access;
mod change_description;
mod change_motd;
mod change_rank;
mod create;
mod delete;
mod invite;
mod kick;
mod leave;
mod membership;
mod pass_leadership;
mod withdraw_invite;

use guildhall_common::contract::{command::Failure, guild::GuildCommand};

use crate::engine::rule::{Context, Progress, Rules};

impl Rules for GuildCommand {
    async fn apply(&self, cx: &mut Context<'_>) -> Result<Progress, Failure> {
        match self {
            Self::CreateGuild(command) => cx.run(command).await,
            Self::InviteCharacter(command) => cx.run(command).await,
            Self::AcceptInvite(command) => cx.run(command).await,
            Self::DeclineInvite(command) => cx.run(command).await,
            Self::CancelInvite(command) => cx.run(command).await,
            Self::LeaveGuild(command) => cx.run(command).await,
            Self::KickMember(command) => cx.run(command).await,
            Self::PassLeadership(command) => cx.run(command).await,
            Self::ChangeRank(command) => cx.run(command).await,
            Self::ChangeMotd(command) => cx.run(command).await,
            Self::ChangeDescription(command) => cx.run(command).await,
            Self::DeleteGuild(command) => cx.run(command).await,
        }
    }
}
