//! The tasks of an operator, who works directly on the database: accounts, the price list, and demo data.

pub mod accounts;
pub mod audit_texts;
pub mod cache;
pub mod dead_letters;
pub mod demo;
pub mod price_list;
