//! The workers: they apply queued commands, relay events and run jobs.

mod account;
mod all_jobs;
mod app;
mod character;
mod coins;
pub mod config;
mod engine;
mod found_character;
mod game;
mod guild;
pub mod health;
mod mail;
mod mailer;
mod migrate;
mod news;
pub mod operator;
pub mod payments;
mod providers;
mod shop;
pub mod site;
mod tasks;

pub use self::{
    app::App,
    mailer::preview as preview_mails,
    migrate::{migrate, update_schema},
};
