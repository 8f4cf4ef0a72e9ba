//! Drills and measurements of a running site: parts of the site are killed under load, input is invalid, the speed is
//! measured, and consistency checks follow.

pub mod abuse;
mod attempt;
mod bank;
pub mod batch_commit;
pub mod chaos;
pub mod client;
pub mod command_line;
pub mod consistency;
pub mod help;
pub mod http;
pub mod journal;
pub mod mail_text;
pub mod mails;
pub mod panics;
pub mod payments;
pub mod percentiles;
pub mod proxy;
pub mod resource_usage;
pub mod response;
pub mod rollout;
mod session_token;
mod signals;
pub mod stack;
pub mod totp;
pub mod traces;
pub mod webhooks;
