//! The workers: they apply commands, relay events and run jobs.

mod account;
mod app;
mod character;
pub mod config;
pub mod engine;
mod game;
mod guild;
pub mod health;
pub mod jobs;
mod ledger;
mod news;
pub mod operator;
pub mod payments;
mod providers;
mod shop;

pub use self::app::{App, migrate};
