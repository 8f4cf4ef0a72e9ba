//! The shop: the match on the command.

mod category;
mod offer;

use guildhall_common::{command::Failure, shop::ShopCommand};
use serde_json::value::RawValue;

use crate::rule::{Context, Rules};

impl Rules for ShopCommand {
    async fn apply(&self, cx: &mut Context<'_>) -> Result<Box<RawValue>, Failure> {
        match self {
            Self::CreateCategory(command) => cx.run(command).await,
            Self::UpdateCategory(command) => cx.run(command).await,
            Self::DestroyCategory(command) => cx.run(command).await,
            Self::CreateOffer(command) => cx.run(command).await,
            Self::UpdateOffer(command) => cx.run(command).await,
            Self::DestroyOffer(command) => cx.run(command).await,
        }
    }
}
