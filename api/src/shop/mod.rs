//! The shop: its categories and offers, and the purchases of players.

mod categories;
mod defaults;
mod offers;
mod purchases;
mod read;

pub(crate) use self::{categories::ShopCategories, offers::ShopOffers, purchases::Purchases};
