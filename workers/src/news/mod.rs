//! News: the match on the command.

mod create;
mod destroy;
mod edit;

use guildhall_common::{command::Failure, news::NewsCommand};
use serde_json::value::RawValue;

use crate::rule::{Context, Rules};

impl Rules for NewsCommand {
    async fn apply(&self, cx: &mut Context<'_>) -> Result<Box<RawValue>, Failure> {
        match self {
            Self::CreatePost(command) => cx.run(command).await,
            Self::EditPost(command) => cx.run(command).await,
            Self::DestroyPost(command) => cx.run(command).await,
        }
    }
}
