//! The building blocks of requests and responses.

pub(crate) mod command_request;
pub(crate) mod command_response;
pub(crate) mod health;
pub(crate) mod json;
pub(crate) mod list;
pub(crate) mod problem;
pub(crate) mod read_response;
pub(crate) mod request_data;
