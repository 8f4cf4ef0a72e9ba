//! JSON bodies of requests.

use poem::Body;
use serde_json::Value;

use crate::http::error_response::ErrorResponse;

/// The maximum size of a request body in bytes.
const MAX_BODY: usize = 64 * 1024;

pub(super) async fn read_json(body: Body) -> Result<Value, ErrorResponse> {
    let bytes = body.into_bytes_limit(MAX_BODY).await;
    let bytes = bytes.map_err(|error| ErrorResponse::bad_request(error.to_string()))?;
    serde_json::from_slice(&bytes).map_err(|error| ErrorResponse::bad_request(error.to_string()))
}
