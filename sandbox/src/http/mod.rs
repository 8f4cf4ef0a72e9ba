//! Forms of requests and responses that API Pix and the control API share.

pub(crate) mod error_response;
pub(crate) mod json;
