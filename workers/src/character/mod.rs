//! Characters: how rules find and lock them, and how accounts and game servers create and change them.

mod create;
pub(crate) mod deletion;
pub(crate) mod find;
mod own_character;
mod rename;
mod reported;
mod request_deletion;
mod snapshot;
mod take_over;
mod upsert;
