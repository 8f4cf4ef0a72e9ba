//! JSON responses.

use poem::{Response, http::StatusCode};
use serde::Serialize;

pub(crate) fn json_response(status: StatusCode, body: &impl Serialize) -> Response {
    let body = serde_json::to_vec(body).unwrap_or_default();
    Response::builder().status(status).content_type("application/json").body(body)
}
