//! Characters: how rules find and lock them, how accounts and game servers create and change them, and how they die.

mod create;
mod deaths;
mod delete_by_game;
mod deletion;
mod game_identity;
mod own_character;
mod rename;
mod reported;
mod request_deletion;
mod snapshot;
mod take_over;
mod upsert;

pub(crate) use self::deletion::{DeleteDueCharacter, all_of, delete_all_of};
