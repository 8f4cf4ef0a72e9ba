//! The shop: categories, offers, purchases.

mod catalogue;
mod catalogue_access;
mod order;
mod purchases;
mod samples;
mod stock;
