//! Players that use the site and know the expected responses.

mod actions;
mod coins;
mod group;
mod guild;
mod limited_offers;
mod lists;
mod news;
mod requests;
mod shop;
pub(super) mod state;

pub(super) use group::{PlayerGroup, letters};
