//! The shop: the match on the command.

mod category;
mod offer;
mod purchase;
mod reorder;
pub(crate) mod stock;
