//! Reads the whole body before anything else is done: bounded in size and in time.

use std::time::Duration;

use super::Next;
use bytes::Bytes;
use poem::{
    Endpoint, Request, Response, Result,
    error::ReadBodyError,
    http::{StatusCode, header},
};
use tokio::time::timeout;

use crate::problem::Problem;

/// The most bytes of a body. Posts are long, and game servers tell of many characters at once.
fn limit(path: &str) -> usize {
    match path {
        "/news/create" | "/news/edit" => 1024 * 1024,
        "/game/characters" => 512 * 1024,
        _ => 64 * 1024,
    }
}

const WITHIN: Duration = Duration::from_secs(10);

/// The request's body.
#[derive(Debug, Clone, Default)]
pub(crate) struct RawBody(pub Bytes);

pub(super) async fn read_body(next: Next, mut request: Request) -> Result<Response> {
    let limit = limit(request.uri().path());
    let encoding = request.header(header::CONTENT_ENCODING).unwrap_or("identity");
    if !encoding.eq_ignore_ascii_case("identity") {
        let detail = "Send the body as it is, not compressed.";
        return Err(Problem::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "unsupported_encoding", detail).into());
    }
    let declared = request.header(header::CONTENT_LENGTH).and_then(|length| length.parse::<u64>().ok());
    if declared.is_some_and(|declared| declared > limit as u64) {
        return Err(too_large(limit).into());
    }
    let body = match timeout(WITHIN, request.take_body().into_bytes_limit(limit)).await {
        Ok(Ok(body)) => body,
        Ok(Err(ReadBodyError::PayloadTooLarge)) => return Err(too_large(limit).into()),
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

fn too_large(limit: usize) -> Problem {
    let detail = format!("The body is larger than {limit} bytes.");
    Problem::new(StatusCode::PAYLOAD_TOO_LARGE, "body_too_large", detail)
}
