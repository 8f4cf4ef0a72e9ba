//! Guildhall through HTTP: api and workers in one process, on the real Postgres,
//! RabbitMQ and Redis. `./dev test` starts them and says where they are.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on shall fail")]

mod access;
mod accounts;
mod bank;
mod books;
mod configuration;
mod database;
mod deliveries;
mod disasters;
mod document;
mod documents;
mod game;
mod guilds;
mod invariants;
mod link;
mod manners;
mod news;
mod outages;
mod payments;
mod pipeline;
mod purchases;
mod refunds;
mod shop;
mod support;
mod webhooks;
