//! The contract between the api and the workers: commands, outputs, refusals and values.
//!
//! One file per domain. Queued messages and stored outcomes have these forms, so a wire name or
//! a field never changes its meaning.

pub mod account;
pub mod actor;
pub mod cache_key;
pub mod character;
pub mod coins;
pub mod command;
pub mod game;
pub mod guild;
pub mod guild_rank;
pub mod idempotency_key;
pub mod news;
pub mod notification;
pub mod payment;
pub mod shop;
pub mod value_types;
pub mod values;

use self::{
    account::AccountCommand, command::Domain, game::GameCommand, guild::GuildCommand, news::NewsCommand,
    payment::PaymentCommand, shop::ShopCommand,
};

/// The names of all domains. Each has a queue of its own.
pub const DOMAINS: [&str; 6] = [
    AccountCommand::NAME,
    GameCommand::NAME,
    GuildCommand::NAME,
    NewsCommand::NAME,
    PaymentCommand::NAME,
    ShopCommand::NAME,
];
