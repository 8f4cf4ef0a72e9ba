//! What must hold for any input from outside, one function for each reader of it. libFuzzer makes up the input
//! (`./dev fuzz`), and `cargo test` goes through what is kept of it in `corpus/`.
//!
//! Each takes anything; what breaks a property panics.

mod news_body;
mod payment_code;
mod payment_fields;
mod queued_command;
mod site;
mod values;
mod webhook_body;

pub use self::{
    news_body::news_body,
    payment_code::payment_code,
    payment_fields::payment_fields,
    queued_command::queued_command,
    site::{http_request, webhook_signature},
    values::values,
    webhook_body::webhook_body,
};
