//! Accounts: registration, sessions, service tokens, characters.

mod characters;
mod registration;
mod roles;
mod sessions;
