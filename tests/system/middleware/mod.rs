//! What concerns every request: errors, headers, limits, connections.

mod connections;
mod cors;
mod errors;
mod headers;
mod protocol;
mod rate_limit;
mod responses;
