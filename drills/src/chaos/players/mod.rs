//! Players that use the site and know what it must respond.

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

pub(super) use group::PlayerGroup;
