//! The types and the infrastructure that the api and the workers share.
//!
//! - [`contract`]: commands, their outputs and refusals, and the values in them.
//! - [`platform`]: RabbitMQ, Redis, Postgres, configuration, logs and metrics.
//! - [`payment_codes`]: the payloads of payment QR codes. Pure: no input or output.
//! - [`money`] and [`price`]: amounts, and how many coins an amount is worth.

pub mod contract;
pub mod money;
pub mod payment_codes;
pub mod platform;
pub mod price;
