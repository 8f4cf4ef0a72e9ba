//! The shop: the match on the command.

mod category;
mod offer;
mod purchase;
mod stock;

use guildhall_common::contract::{command::Failure, shop::ShopCommand};

use crate::engine::rule::{Context, Progress, Rules};

impl Rules for ShopCommand {
    async fn apply(&self, cx: &mut Context<'_>) -> Result<Progress, Failure> {
        match self {
            Self::CreateCategory(command) => cx.run(command).await,
            Self::UpdateCategory(command) => cx.run(command).await,
            Self::EditCategory(command) => cx.run(command).await,
            Self::DestroyCategory(command) => cx.run(command).await,
            Self::CreateOffer(command) => cx.run(command).await,
            Self::UpdateOffer(command) => cx.run(command).await,
            Self::EditOffer(command) => cx.run(command).await,
            Self::ChangeStock(command) => cx.run(command).await,
            Self::DestroyOffer(command) => cx.run(command).await,
            Self::Purchase(command) => cx.run(command).await,
        }
    }
}
