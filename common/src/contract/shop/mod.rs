//! The shop: its commands and values.

pub mod catalogue;
mod change_stock;
mod create_category;
mod create_offer;
mod destroy_category;
mod destroy_offer;
mod edit_category;
mod edit_offer;
mod purchase;
mod refusal;
mod reorder_categories;
mod reorder_offers;
mod values;

use super::cache_key::CacheKey;
use crate::domain;

pub use self::{catalogue::*, refusal::ShopRefusal, values::*};

domain! {
    /// The commands about the shop.
    ShopCommand("shop") {
        create_category::CreateCategory,
        edit_category::EditCategory,
        destroy_category::DestroyCategory,
        create_offer::CreateOffer,
        edit_offer::EditOffer,
        change_stock::ChangeStock,
        destroy_offer::DestroyOffer,
        reorder_categories::ReorderCategories,
        reorder_offers::ReorderOffers,
        purchase::Purchase,
    }
}

/// All views of the shop. The shop is small, so all of it is invalidated together.
#[must_use]
pub fn shop_key() -> CacheKey {
    CacheKey::new("shop", "")
}
