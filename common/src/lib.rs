//! The types and the infrastructure that the api and the workers share.
//!
//! - [`contract`]: commands, their outputs and refusals, and the values in them.
//! - [`platform`]: RabbitMQ, Redis, Postgres, configuration, logs and metrics.
//! - [`payment_codes`]: the payloads of payment QR codes. Pure: no input or output.
//! - [`invalid_value`]: which rule an invalid value breaks.
//! - [`markdown`]: the text of posts as HTML. Pure.
//! - [`money`] and [`price`]: amounts, and how many coins an amount is worth.

pub mod contract;
pub mod invalid_value;
pub mod markdown;
pub mod money;
pub mod payment_codes;
pub mod platform;
pub mod price;
