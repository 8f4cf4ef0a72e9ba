//! Everything through HTTP, as a receiver's software and a payer see it.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on shall fail")]

mod control;
mod durable;
mod faults;
mod log;
mod story;
mod support;
