//! The HTTP client of a site.

mod assertions;
mod client;
mod connections;
pub mod raw_connection;
mod request;
mod response;

pub use client::{HttpClient, registration};
pub use request::Request;
pub use response::{HttpResponse, Response, ResponseStream, items, text};
