//! Invalid input and slow clients. The site must serve other clients, must not fail or hang, and must not grow.

mod background_clients;
mod bodies;
mod drill;
mod http_syntax;
mod idle_connections;
mod limits;
mod one_address;
mod random_tokens;
mod site;
mod slow_clients;
mod texts;

pub use drill::{AbuseSettings, run};
