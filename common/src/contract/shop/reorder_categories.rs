//! The command `shop.reorder_categories`.

use poem_openapi::Object;
use serde::{Deserialize, Serialize};

use super::{catalogue::CategoryId, refusal::ShopRefusal};
use crate::contract::{
    actor::Actor,
    command::{Declaration, Sender},
    partition_key::PartitionKey,
};

/// Sorts the categories of the shop.
#[derive(Debug, Serialize, Deserialize)]
pub struct ReorderCategories {
    /// All categories, each once.
    pub category_ids: Vec<CategoryId>,
}

/// The categories of the shop have the requested order.
#[derive(Debug, Serialize, Deserialize, Object)]
#[oai(example)]
pub struct CategoriesReordered {
    pub category_ids: Vec<CategoryId>,
}

impl Declaration for ReorderCategories {
    type Output = CategoriesReordered;
    type Refusal = ShopRefusal;

    const NAME: &'static str = "shop.reorder_categories";
    const SENDER: Sender = Sender::Merchant;
    const REFUSALS: &'static [ShopRefusal] = &[ShopRefusal::CategoriesChanged];
    const EXAMPLE: &'static str = r#"{"category_ids":[2,1]}"#;

    fn partition_key(&self, _: Actor) -> Option<PartitionKey> {
        None
    }
}

crate::examples! {
    CategoriesReordered { "category_ids": [2, 1] }
}
