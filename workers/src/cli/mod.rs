//! The subcommands of operators, one file for each group.

mod app_args;
mod audit;
mod coins;
mod dead_letters;
mod payload;
mod payload_fields;
mod service_token;
mod webhook;

pub(crate) use crate::cli::{
    app_args::AppArgs, audit::Audit, coins::Coins, dead_letters::DeadLetters, payload::Payload,
    service_token::ServiceTokenCommand, webhook::RegisterWebhook,
};
