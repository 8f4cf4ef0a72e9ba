//! News posts: the match on the command.

mod announce;
mod create;
mod destroy;
mod edit;
mod slug;

use guildhall_common::contract::{command::Failure, news::NewsCommand};

pub(crate) use announce::announce;

use crate::engine::{
    rule::{Context, Progress},
    rules::Rules,
};

impl Rules for NewsCommand {
    async fn apply(&self, cx: &mut Context<'_>) -> Result<Progress, Failure> {
        match self {
            Self::CreatePost(command) => cx.run(command).await,
            Self::EditPost(command) => cx.run(command).await,
            Self::DestroyPost(command) => cx.run(command).await,
        }
    }
}
