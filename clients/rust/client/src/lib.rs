//! The Rust SDK of Guildhall: a builder for each operation, and a type for each schema. `build.rs` generates the code.

#![allow(clippy::all, clippy::unwrap_used, clippy::allow_attributes)]

include!(concat!(env!("OUT_DIR"), "/client.rs"));
