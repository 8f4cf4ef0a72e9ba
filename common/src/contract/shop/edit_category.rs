//! The command `shop.edit_category`.

use serde::{Deserialize, Serialize};

use super::{
    catalogue::{CategoryFields, CategoryId, ShopVersion},
    create_category::CategorySaved,
    refusal::ShopRefusal,
};
use crate::contract::{
    actor::Actor,
    command::{Declaration, Sender},
    partition_key::PartitionKey,
};

/// Replaces all fields of a category, if it has the expected version.
#[derive(Debug, Serialize, Deserialize)]
pub struct EditCategory {
    pub category_id: CategoryId,
    pub expected_version: ShopVersion,
    pub fields: CategoryFields,
}

impl Declaration for EditCategory {
    type Output = CategorySaved;
    type Refusal = ShopRefusal;

    const NAME: &'static str = "shop.edit_category";
    const SENDER: Sender = Sender::Merchant;
    const REFUSALS: &'static [ShopRefusal] =
        &[ShopRefusal::CategoryNotFound, ShopRefusal::CategoryNameTaken, ShopRefusal::CategoryChanged];
    const EXAMPLE: &'static str = r#"{"category_id":1,"expected_version":1,"fields":{"name":"Potions","description":"","position":10,"hidden":false}}"#;

    fn partition_key(&self, _: Actor) -> Option<PartitionKey> {
        None
    }
}
