//! The site itself: dead letters, and the tokens of game servers.

mod dead_letters;
pub(crate) mod service_tokens;

use guildhall_common::contract::{command::Failure, site::SiteCommand};

use crate::engine::{
    rule::{Context, Progress},
    rules::Rules,
};

impl Rules for SiteCommand {
    async fn apply(&self, cx: &mut Context<'_>) -> Result<Progress, Failure> {
        match self {
            Self::ReplayDeadLetter(command) => cx.run(command).await,
            Self::DiscardDeadLetter(command) => cx.run(command).await,
            Self::CreateServiceToken(command) => cx.run(command).await,
            Self::RevokeServiceToken(command) => cx.run(command).await,
        }
    }
}
