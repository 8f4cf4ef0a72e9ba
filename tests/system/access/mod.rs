//! Authorization: permitted operations, accepted tokens, and secrets that are never logged.

mod access_tokens;
mod address_limits;
mod authorization_header;
mod cross_origin;
mod expectation;
mod fixtures;
mod forgery;
mod guessing;
mod guild_ranks;
mod logged_secrets;
mod mail_tokens;
mod matrix;
mod policy;
mod principal;
mod refresh_tokens;
mod repeated_requests;
mod requests;
mod samples;
mod secret_scenario;
mod service_tokens;
mod strict_requests;
mod vectors;
