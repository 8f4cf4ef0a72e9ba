//! Characters: how rules find and lock them, and how accounts and game servers create and update them.

mod create;
pub(crate) mod find;
mod reported;
mod snapshot;
mod take_over;
mod upsert;
