//! Forms of requests and responses that API Pix and the control API share, and the faults of requests.

pub(crate) mod error_response;
pub(crate) mod fault_injection;
pub(crate) mod json;
