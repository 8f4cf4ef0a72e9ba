//! Administration: accounts, coins and their prices, dead letters, service tokens, health, the audit log.

mod accounts;
mod audit;
mod coins;
mod dead_letters;
mod health;
mod price_list;
mod service_tokens;
