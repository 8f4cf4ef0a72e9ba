//! The site itself: dead letters, and the tokens of game servers.

mod dead_letters;
pub mod queues;
mod sample_health;
pub(crate) mod service_tokens;

pub(crate) use self::sample_health::SampleHealth;
