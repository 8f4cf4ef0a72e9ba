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
    app_args::AppArgs, audit::AuditCommand, coins::CoinsCommand, dead_letters::DeadLettersCommand,
    payload::PayloadCommand, service_token::ServiceTokenCommand, webhook::RegisterWebhookCommand,
};
