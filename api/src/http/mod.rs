//! The parts of requests and responses.

pub(crate) mod api_refusal;
pub(crate) mod body_slots;
pub(crate) mod client_address;
pub(crate) mod client_headers;
pub(crate) mod command_request;
pub(crate) mod command_response;
pub(crate) mod cookies;
pub(crate) mod cors_origins;
pub(crate) mod cursor;
pub(crate) mod gzip;
pub(crate) mod json;
pub(crate) mod list;
pub(crate) mod list_address;
pub(crate) mod markup;
pub(crate) mod own_page;
pub(crate) mod paging;
pub(crate) mod percent;
pub(crate) mod problem;
pub(crate) mod rate_limits;
pub(crate) mod read_response;
pub(crate) mod request_data;
pub(crate) mod request_span;
pub(crate) mod route_policy;
pub(crate) mod share_page;
pub(crate) mod slots;
pub(crate) mod text_response;
