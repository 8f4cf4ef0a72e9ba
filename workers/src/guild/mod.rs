//! Guilds: the match on the command. The loads in `access` check the rights of the account.

mod accept_invite;
mod access;
mod change_logo;
mod change_texts;
mod create;
mod delete;
mod import;
mod invite;
mod kick;
mod leave;
mod logo_jobs;
mod member;
mod membership;
mod moderate_logo;
mod pass_leadership;
mod purge_invites;
mod succession;
mod withdraw_invite;

pub(crate) use self::{
    logo_jobs::{DeleteLogoObjects, MoveLogos, PurgeLogos},
    purge_invites::PurgeInvites,
    succession::{leave_or_pass_leadership, lock_with_guild},
};
