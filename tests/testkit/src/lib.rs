//! The parts that drills, benchmarks and system tests share: the HTTP client, the TCP proxy, processes, and checks of a site.

pub mod environment;
pub mod game_replica;
pub mod help;
pub mod http;
pub mod mail_text;
pub mod money;
pub mod percentiles;
pub mod processes;
pub mod proxy;
pub mod resource_usage;
pub mod totp;
pub mod traces;
pub mod worker_steps;
