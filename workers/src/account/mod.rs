//! Accounts and their sessions: the match on the command.

mod register;
mod session;

use guildhall_common::contract::{account::AccountCommand, command::Failure};

use crate::engine::rule::{Context, Progress, Rules};

impl Rules for AccountCommand {
    async fn apply(&self, cx: &mut Context<'_>) -> Result<Progress, Failure> {
        match self {
            Self::Register(command) => cx.run(command).await,
            Self::StartSession(command) => cx.run(command).await,
            Self::RotateSession(command) => cx.run(command).await,
            Self::EndSession(command) => cx.run(command).await,
            Self::CreateCharacter(command) => cx.run(command).await,
        }
    }
}
