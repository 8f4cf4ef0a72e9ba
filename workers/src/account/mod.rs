//! Accounts and their sessions: the match on the command.

mod change_email;
mod deletion;
mod erased_outcomes;
mod erased_texts;
mod erasure;
mod export;
mod known_clients;
mod language;
mod link_code;
mod owner;
mod password;
mod register;
mod roles;
mod sanctions;
pub(crate) mod second_factor;
mod second_factor_proof;
mod session;
mod verify_email;

use guildhall_common::contract::{
    account::AccountCommand,
    command::{Actor, Failure},
};

pub(crate) use self::{
    deletion::delete,
    erased_outcomes::erase_next as erase_next_outcomes,
    erased_texts::{erase_texts, erase_texts_of},
    export::export,
    roles::set_role,
};
use crate::engine::{
    locks::Locks,
    rule::{Context, Progress},
    rules::Rules,
};

impl Rules for AccountCommand {
    fn locks(&self, actor: Actor, locks: &mut Locks) {
        match self {
            Self::RenameCharacter(command) => {
                locks.character(&command.character);
                // A new name may cost coins.
                locks.coins_of(actor);
            }
            Self::DeleteCharacter(command) => locks.character(&command.character),
            Self::CancelCharacterDeletion(command) => locks.character(&command.character),
            // They change only their own account.
            _ => {}
        }
    }

    async fn apply(&self, cx: &mut Context<'_>) -> Result<Progress, Failure> {
        match self {
            Self::Register(command) => cx.run(command).await,
            Self::StartSession(command) => cx.run(command).await,
            Self::RotateSession(command) => cx.run(command).await,
            Self::EndSession(command) => cx.run(command).await,
            Self::EndOtherSessions(command) => cx.run(command).await,
            Self::CreateCharacter(command) => cx.run(command).await,
            Self::RenameCharacter(command) => cx.run(command).await,
            Self::DeleteCharacter(command) => cx.run(command).await,
            Self::CancelCharacterDeletion(command) => cx.run(command).await,
            Self::CreateLinkCode(command) => cx.run(command).await,
            Self::ChangeLanguage(command) => cx.run(command).await,
            Self::ResendVerification(command) => cx.run(command).await,
            Self::VerifyEmail(command) => cx.run(command).await,
            Self::VerifyEmailCode(command) => cx.run(command).await,
            Self::ChangeEmail(command) => cx.run(command).await,
            Self::UndoEmailChange(command) => cx.run(command).await,
            Self::RequestPasswordReset(command) => cx.run(command).await,
            Self::ResetPassword(command) => cx.run(command).await,
            Self::ChangePassword(command) => cx.run(command).await,
            Self::SuspendAccount(command) => cx.run(command).await,
            Self::LiftSuspension(command) => cx.run(command).await,
            Self::ExpirePassword(command) => cx.run(command).await,
            Self::VerifyEmailByHand(command) => cx.run(command).await,
            Self::AddAccountNote(command) => cx.run(command).await,
            Self::GrantRole(command) => cx.run(command).await,
            Self::RevokeRole(command) => cx.run(command).await,
            Self::EnableSecondFactor(command) => cx.run(command).await,
            Self::DisableSecondFactor(command) => cx.run(command).await,
            Self::ReplaceRecoveryCodes(command) => cx.run(command).await,
            Self::ResetSecondFactor(command) => cx.run(command).await,
            Self::RequestExport(command) => cx.run(command).await,
            Self::OpenExport(command) => cx.run(command).await,
            Self::ScheduleDeletion(command) => cx.run(command).await,
            Self::CancelDeletion(command) => cx.run(command).await,
            Self::CancelDeletionByLink(command) => cx.run(command).await,
        }
    }
}
