//! Servers that fail: Postgres, RabbitMQ, Redis, and the bank.

mod bank;
mod bank_gateway;
mod cache;
mod database;
mod queue;
mod restore;
mod transactions;
