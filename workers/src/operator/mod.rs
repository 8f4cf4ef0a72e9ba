//! What an operator does directly in the database: accounts, price list, demo data.

pub mod accounts;
pub mod demo;
pub mod price_list;
