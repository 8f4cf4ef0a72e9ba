//! The shop: the match on the command.

mod category;
mod offer;
mod purchase;
mod reorder;
pub(crate) mod stock;

use guildhall_common::contract::{
    command::{Actor, Envelope, Failure},
    shop::{Purchase, ShopCommand},
};

use crate::engine::{
    locks::Locks,
    rule::{Context, Progress},
    rules::{Applied, Applier, Rules},
};

impl Rules for ShopCommand {
    fn locks(&self, actor: Actor, locks: &mut Locks) {
        match self {
            Self::UpdateOffer(command) => locks.offer(command.offer_id),
            Self::EditOffer(command) => locks.offer(command.offer_id),
            Self::ChangeStock(command) => locks.offer(command.offer_id),
            Self::DestroyOffer(command) => locks.offer(command.offer_id),
            Self::Purchase(command) => {
                locks.coins_of(actor);
                command.lines.iter().for_each(|line| locks.offer(line.offer_id));
            }
            // They are in one partition.
            Self::CreateCategory(_)
            | Self::UpdateCategory(_)
            | Self::EditCategory(_)
            | Self::DestroyCategory(_)
            | Self::CreateOffer(_)
            | Self::ReorderCategories(_) => {}
            Self::ReorderOffers(command) => command.offer_ids.iter().for_each(|id| locks.offer(*id)),
        }
    }

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
            Self::ReorderCategories(command) => cx.run(command).await,
            Self::ReorderOffers(command) => cx.run(command).await,
            Self::Purchase(command) => cx.run(command).await,
        }
    }
    async fn apply_first(
        applier: &mut Applier<'_>,
        commands: &[&Envelope<Self>],
    ) -> sqlx::Result<Vec<Applied>> {
        match commands[0].command {
            Self::Purchase(_) => applier.apply_set::<Purchase>(commands).await,
            _ => applier.apply_alone(commands[0]).await,
        }
    }
}
