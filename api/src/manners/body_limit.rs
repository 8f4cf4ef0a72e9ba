//! Reads the whole body before anything else is done: bounded in size and in time.

use std::time::Duration;

use super::Next;
use bytes::Bytes;
use poem::{Endpoint, Request, Response, Result, error::ReadBodyError, http::StatusCode};
use tokio::time::timeout;

use crate::problem::Problem;

/// Bytes.
const LIMIT: usize = 64 * 1024;

const WITHIN: Duration = Duration::from_secs(10);

/// The request's body.
#[derive(Debug, Clone, Default)]
pub(crate) struct RawBody(pub Bytes);

pub(super) async fn read_body(next: Next, mut request: Request) -> Result<Response> {
    let body = match timeout(WITHIN, request.take_body().into_bytes_limit(LIMIT)).await {
        Ok(Ok(body)) => body,
        Ok(Err(ReadBodyError::PayloadTooLarge)) => {
            let detail = format!("The body is larger than {LIMIT} bytes.");
            return Err(Problem::new(StatusCode::PAYLOAD_TOO_LARGE, "body_too_large", detail).into());
        }
        Ok(Err(error)) => {
            return Err(Problem::invalid("", format!("The body cannot be read: {error}")).into());
        }
        Err(_) => {
            let detail = format!("The body did not come within {} seconds.", WITHIN.as_secs());
            return Err(Problem::new(StatusCode::REQUEST_TIMEOUT, "body_too_slow", detail).into());
        }
    };
    request.set_data(RawBody(body));
    next.call(request).await
}
