//! The command `shop.destroy_category`.

use poem_openapi::Object;
use serde::{Deserialize, Serialize};

use super::{catalogue::CategoryId, refusal::ShopRefusal};
use crate::contract::{
    actor::Actor,
    command::{Declaration, Sender},
    partition_key::PartitionKey,
};

/// Deletes an empty category.
#[derive(Debug, Serialize, Deserialize)]
pub struct DestroyCategory {
    pub category_id: CategoryId,
}

/// A category was deleted.
#[derive(Debug, Serialize, Deserialize, Object)]
#[oai(example)]
pub struct CategoryDestroyed {
    pub category_id: CategoryId,
}

impl Declaration for DestroyCategory {
    type Output = CategoryDestroyed;
    type Refusal = ShopRefusal;

    const NAME: &'static str = "shop.destroy_category";
    const SENDER: Sender = Sender::Merchant;
    const REFUSALS: &'static [ShopRefusal] = &[ShopRefusal::CategoryNotFound, ShopRefusal::CategoryNotEmpty];
    const EXAMPLE: &'static str = r#"{"category_id":1}"#;

    fn partition_key(&self, _: Actor) -> Option<PartitionKey> {
        None
    }
}

crate::examples! {
    CategoryDestroyed { "category_id": 1 }
}
