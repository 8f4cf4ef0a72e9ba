//! The shop: categories, offers, purchases.

mod catalogue;
mod catalogue_access;
mod purchases;
mod samples;
