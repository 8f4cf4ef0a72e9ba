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
pub mod idempotency_key;
pub mod mail;
pub mod message;
pub mod news;
pub mod notification;
pub mod partition_key;
pub mod payment;
pub mod secret_hash;
pub mod shop;
pub mod site;
pub mod value_types;
pub mod values;

use self::{
    account::AccountCommand, command::Domain, game::GameCommand, guild::GuildCommand, mail::MailCommand,
    news::NewsCommand, payment::PaymentCommand, shop::ShopCommand, site::SiteCommand,
};

/// The names of all domains, and whether their commands are spread over several queues.
pub const DOMAINS: [(&str, bool); 8] = [
    queues::<AccountCommand>(),
    queues::<GameCommand>(),
    queues::<GuildCommand>(),
    queues::<MailCommand>(),
    queues::<NewsCommand>(),
    queues::<PaymentCommand>(),
    queues::<ShopCommand>(),
    queues::<SiteCommand>(),
];

const fn queues<D: Domain>() -> (&'static str, bool) {
    (D::NAME, D::IS_PARTITIONED)
}
