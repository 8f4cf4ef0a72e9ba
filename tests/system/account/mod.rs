//! Accounts: registration, sessions, service tokens, characters.

mod changed_meanwhile;
mod character_deletions;
mod character_renames;
mod characters;
mod coins;
mod cookie_sessions;
pub(crate) mod deletion;
mod deletion_payments;
mod deletion_races;
mod email_changes;
mod emails;
mod erasure;
mod exports;
mod forgotten_passwords;
mod mail_servers;
mod mails;
mod passwords;
mod registration;
mod roles;
mod second_factor;
mod second_factor_attacks;
mod sessions;
