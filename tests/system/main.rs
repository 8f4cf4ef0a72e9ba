//! Guildhall through HTTP: api and workers in one process, on real Postgres, RabbitMQ and Redis servers.
//!
//! `./dev test` starts the servers and sets their addresses in the environment.

#![expect(clippy::unwrap_used, reason = "a test panics when it cannot continue")]

mod access;
mod account;
mod admin;
mod captcha;
mod character;
mod configuration;
mod documents;
mod game;
mod guild;
mod lists;
mod middleware;
mod news;
mod openapi;
mod operator;
mod outages;
mod payments;
mod pipeline;
mod shop;
mod support;
