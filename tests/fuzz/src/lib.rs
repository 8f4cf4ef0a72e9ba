//! Properties that hold for any input from outside, with one function per parser. libFuzzer generates inputs
//! (`./dev fuzz`), and `cargo test` runs the stored inputs in `corpus/`.
//!
//! Each function accepts any bytes. It panics if a property does not hold.

mod api;
mod http_request;
mod logo;
mod news_body;
mod payment_code;
mod payment_fields;
mod queued_command;
mod round_trip;
mod values;
mod webhook_body;
mod webhook_signature;

pub use self::{
    http_request::http_request, logo::logo, news_body::news_body, payment_code::payment_code,
    payment_fields::payment_fields, queued_command::queued_command, values::values,
    webhook_body::webhook_body, webhook_signature::webhook_signature,
};
