//! The contract between the api and the workers: commands, outputs, refusals and values.
//!
//! One folder per domain, with a file for each command. Queued messages and stored outcomes have these forms, so a wire name or
//! a field never changes its meaning.

pub mod account;
pub mod actor;
pub mod cache_key;
pub mod character;
pub mod coins;
pub mod command;
pub mod game;
pub mod guild;
pub mod idempotency_key;
pub mod mail;
pub mod message;
pub mod news;
pub mod opaque_string;
pub mod partition_key;
pub mod payment;
pub mod providers;
pub mod readable;
pub mod secret_hash;
pub mod shop;
pub mod site;
pub mod value_types;
pub mod values;

use self::{
    account::AccountCommand, game::GameCommand, guild::GuildCommand, mail::MailCommand, news::NewsCommand,
    payment::PaymentCommand, shop::ShopCommand, site::SiteCommand,
};

crate::domains! {
    AccountCommand,
    GameCommand,
    GuildCommand,
    MailCommand,
    NewsCommand,
    PaymentCommand,
    ShopCommand,
    SiteCommand,
}
