//! What the api and the workers must agree on: commands and their outcomes, the
//! bus that carries them, the cache, the database pool, configuration, telemetry.

pub mod account;
pub mod bus;
pub mod cache;
pub mod command;
pub mod config;
pub mod db;
pub mod game;
pub mod guild;
pub mod health;
pub mod money;
pub mod news;
pub mod payments;
pub mod shop;
pub mod telemetry;
pub mod values;
