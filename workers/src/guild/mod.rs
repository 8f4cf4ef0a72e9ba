//! Guilds: the match on the command. The loads in `access` check the rights of the account.

mod accept_invite;
mod access;
mod change_logo;
mod change_rank;
mod change_texts;
mod create;
mod delete;
mod invite;
mod kick;
mod leave;
mod logo_jobs;
mod membership;
mod moderate_logo;
mod pass_leadership;
mod succession;
mod withdraw_invite;

use guildhall_common::contract::{
    command::{Actor, Envelope, Failure},
    guild::{AcceptInvite, ChangeDescription, ChangeMotd, GuildCommand, KickMember, LeaveGuild},
};

pub(crate) use self::{
    logo_jobs::{delete_logo_objects, move_logos, purge_logos},
    succession::{leave_or_pass_leadership, lock_with_guild},
};
use crate::engine::{
    locks::Locks,
    rule::{Context, Progress},
    rules::{Applied, Applier, Rules},
};

impl Rules for GuildCommand {
    fn locks(&self, _: Actor, locks: &mut Locks) {
        match self {
            Self::CreateGuild(command) => locks.character(&command.leader),
            Self::AcceptInvite(AcceptInvite { guild_id, character })
            | Self::LeaveGuild(LeaveGuild { guild_id, character })
            | Self::KickMember(KickMember { guild_id, character }) => {
                locks.guild(*guild_id);
                locks.character(character);
            }
            Self::InviteCharacter(command) => locks.guild(command.guild_id),
            Self::DeclineInvite(command) => locks.guild(command.guild_id),
            Self::CancelInvite(command) => locks.guild(command.guild_id),
            Self::PassLeadership(command) => locks.guild(command.guild_id),
            Self::ChangeRank(command) => locks.guild(command.guild_id),
            Self::ChangeMotd(command) => locks.guild(command.guild_id),
            Self::ChangeDescription(command) => locks.guild(command.guild_id),
            Self::ChangeLogo(command) => locks.guild(command.guild_id),
            Self::RemoveLogo(command) => locks.guild(command.guild_id),
            Self::ModerateLogo(command) => locks.guild(command.guild_id),
            Self::DeleteGuild(command) => locks.deleted_guild(command.guild_id),
        }
    }

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
            Self::ChangeLogo(command) => cx.run(command).await,
            Self::RemoveLogo(command) => cx.run(command).await,
            Self::ModerateLogo(command) => cx.run(command).await,
            Self::DeleteGuild(command) => cx.run(command).await,
        }
    }

    async fn apply_first(
        applier: &mut Applier<'_>,
        commands: &[&Envelope<Self>],
    ) -> sqlx::Result<Vec<Applied>> {
        match commands[0].command {
            Self::ChangeMotd(_) => applier.apply_set::<ChangeMotd>(commands).await,
            Self::ChangeDescription(_) => applier.apply_set::<ChangeDescription>(commands).await,
            _ => applier.apply_alone(commands[0]).await,
        }
    }
}
