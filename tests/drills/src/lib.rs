//! Drills and measurements of a running site: parts of the site are killed under load, input is invalid, the speed is
//! measured, and consistency checks follow.

pub mod abuse;
mod attempt;
mod bank;
pub mod chaos;
pub mod client;
pub mod command_line;
pub mod consistency;
pub mod journal;
pub mod mails;
mod outcome;
pub mod panics;
pub mod payments;
pub mod process;
pub mod rollout;
mod session_token;
pub mod stack;
pub mod webhooks;
