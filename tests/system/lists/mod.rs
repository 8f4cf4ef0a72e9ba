//! All lists of the API: their pages, their cursors, and how many rows their queries read.

mod catalogue;
mod large_tables;
mod pages;
mod plans;
mod query_plans;
