//! The infrastructure of both services: RabbitMQ, Redis, Postgres, configuration, logs and metrics.

pub mod backoff;
pub mod bus;
pub mod cache;
pub mod config;
pub mod db;
pub mod health;
mod log_buffer;
pub mod object_store;
pub mod partitions;
pub mod site_url;
pub mod telemetry;
