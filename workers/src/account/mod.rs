//! Accounts and their sessions: the match on the command.

mod change_email;
mod deletion;
mod erased_outcomes;
mod erased_texts;
mod erasure;
mod export;
mod import;
mod known_clients;
mod language;
mod link_code;
mod owner;
mod password;
mod purge;
mod register;
mod roles;
mod sanctions;
pub(crate) mod second_factor;
mod second_factor_proof;
mod session;
mod verify_email;

pub(crate) use self::{
    deletion::DeleteAccount,
    erased_outcomes::EraseOutcomes,
    erased_texts::{erase_texts, erase_texts_of},
    export::ExportAccount,
    purge::{PurgeAccounts, PurgeSessions},
    roles::set_role,
};
