//! Middleware and server: errors, headers, limits, connections, protocol.

mod bodies;
mod connections;
mod cors;
mod errors;
mod field_errors;
mod headers;
mod health;
mod protocol;
mod rate_limit;
mod responses;
