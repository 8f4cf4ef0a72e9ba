//! The OpenAPI document: valid, complete, and the committed one.

mod committed;
mod compatibility;
mod compatibility_rules;
mod completeness;
mod naming;
mod operations;
mod personal_fields;
