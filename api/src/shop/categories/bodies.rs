//! The bodies of requests about categories.

use guildhall_common::contract::shop::{
    CategoryFields, CategoryId, CreateCategory, EditCategory, Position, ShopDescription, ShopName,
    ShopVersion,
};
use poem_openapi::Object;
use serde::Deserialize;

use crate::{
    http::json::bounded_list,
    shop::defaults::{first_position, no_description},
};

/// A new category.
#[derive(Debug, Deserialize, Object)]
#[serde(deny_unknown_fields)]
#[oai(deny_unknown_fields, example)]
pub(crate) struct NewCategory {
    name: ShopName,
    #[serde(default = "no_description")]
    #[oai(default = "no_description")]
    description: ShopDescription,
    #[serde(default = "first_position")]
    #[oai(default = "first_position")]
    position: Position,
    /// Hidden categories are visible only to merchants.
    #[serde(default)]
    #[oai(default)]
    hidden: bool,
}

/// All fields of a category. They replace the stored ones, so none may be missing.
#[derive(Debug, Deserialize, Object)]
#[serde(deny_unknown_fields)]
#[oai(deny_unknown_fields, example)]
pub(crate) struct ChangedCategory {
    category_id: CategoryId,
    /// The version that the merchant has read. The edit is refused when the category has another one.
    expected_version: ShopVersion,
    name: ShopName,
    description: ShopDescription,
    position: Position,
    /// Hidden categories are visible only to merchants.
    hidden: bool,
}

impl From<NewCategory> for CreateCategory {
    fn from(body: NewCategory) -> Self {
        let NewCategory { name, description, position, hidden } = body;
        Self(CategoryFields { name, description, position, hidden })
    }
}

impl From<ChangedCategory> for EditCategory {
    fn from(body: ChangedCategory) -> Self {
        let ChangedCategory { category_id, expected_version, name, description, position, hidden } = body;
        Self { category_id, expected_version, fields: CategoryFields { name, description, position, hidden } }
    }
}

/// The order of the categories.
#[derive(Debug, Deserialize, Object)]
#[serde(deny_unknown_fields)]
#[oai(deny_unknown_fields, example)]
pub(crate) struct CategoryOrder {
    /// All categories, each once, also hidden ones.
    #[serde(deserialize_with = "bounded_list::<_, _, 1, 1000>")]
    #[oai(validator(min_items = 1, max_items = 1000))]
    pub category_ids: Vec<CategoryId>,
}

guildhall_common::examples! {
    CategoryOrder { "category_ids": [2, 1] }
    NewCategory { "name": "Potions", "description": "Heals and restores.", "position": 10, "hidden": false }
    ChangedCategory { "category_id": 1, "expected_version": 1, "name": "Potions", "description": "Heals.", "position": 10, "hidden": false }
}
