//! The command `shop.create_category`.

use poem_openapi::Object;
use serde::{Deserialize, Serialize};

use super::{
    catalogue::{CategoryFields, CategoryId},
    refusal::ShopRefusal,
};
use crate::contract::{
    actor::Actor,
    command::{Declaration, Sender},
    partition_key::PartitionKey,
};

/// Creates a category.
#[derive(Debug, Serialize, Deserialize)]
pub struct CreateCategory(pub CategoryFields);

/// A category was created or changed.
#[derive(Debug, Serialize, Deserialize, Object)]
#[oai(example)]
pub struct CategorySaved {
    pub category_id: CategoryId,
    pub name: String,
    /// Send it as `expected_version` of the next edit.
    #[serde(default)]
    pub version: i32,
}

impl Declaration for CreateCategory {
    type Output = CategorySaved;
    type Refusal = ShopRefusal;

    const NAME: &'static str = "shop.create_category";
    const SENDER: Sender = Sender::Merchant;
    const REFUSALS: &'static [ShopRefusal] = &[ShopRefusal::CategoryNameTaken];
    const EXAMPLE: &'static str = r#"{"name":"Potions","description":"","position":10,"hidden":false}"#;

    fn partition_key(&self, _: Actor) -> Option<PartitionKey> {
        None
    }
}

crate::examples! {
    CategorySaved { "category_id": 1, "name": "Potions", "version": 1 }
}
