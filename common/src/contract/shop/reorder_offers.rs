//! The command `shop.reorder_offers`.

use poem_openapi::Object;
use serde::{Deserialize, Serialize};

use super::{
    catalogue::{CategoryId, OfferId},
    refusal::ShopRefusal,
};
use crate::contract::{
    actor::Actor,
    command::{Declaration, Locks, Sender},
    partition_key::PartitionKey,
};

/// Sorts the offers of a category.
#[derive(Debug, Serialize, Deserialize)]
pub struct ReorderOffers {
    pub category_id: CategoryId,
    /// All offers of the category that are not archived, each once.
    pub offer_ids: Vec<OfferId>,
}

/// The offers of a category have the requested order.
#[derive(Debug, Serialize, Deserialize, Object)]
#[oai(example)]
pub struct OffersReordered {
    pub category_id: CategoryId,
    pub offer_ids: Vec<OfferId>,
}

impl Declaration for ReorderOffers {
    type Output = OffersReordered;
    type Refusal = ShopRefusal;

    const NAME: &'static str = "shop.reorder_offers";
    const SENDER: Sender = Sender::Merchant;
    const REFUSALS: &'static [ShopRefusal] = &[ShopRefusal::CategoryNotFound, ShopRefusal::OffersChanged];
    const EXAMPLE: &'static str = r#"{"category_id":1,"offer_ids":[5,4]}"#;

    fn partition_key(&self, _: Actor) -> Option<PartitionKey> {
        None
    }

    fn locks(&self, _: Actor, locks: &mut Locks) {
        self.offer_ids.iter().for_each(|id| locks.offer(*id));
    }
}

crate::examples! {
    OffersReordered { "category_id": 1, "offer_ids": [5, 4] }
}
