//! Reads the whole body before anything else is done: bounded in size and in time.

use std::{io::Error as IoError, time::Duration};

use super::Next;
use bytes::{Bytes, BytesMut};
use futures_util::StreamExt;
use poem::{
    Body, Endpoint, Request, Response, Result,
    http::{StatusCode, header},
};
use tokio::time::timeout;

use crate::{payments::WEBHOOKS, problem::Problem};

/// The most bytes of a body. Posts are long, game servers tell of many characters at once, banks of many payments.
fn limit(path: &str) -> usize {
    match path {
        "/news/create" | "/news/edit" => 1024 * 1024,
        "/game/characters" => 512 * 1024,
        path if WEBHOOKS.contains(&path) => 256 * 1024,
        _ => 64 * 1024,
    }
}

const WITHIN: Duration = Duration::from_secs(10);

/// For a body that says of itself that it is too large.
const HOPELESS_WITHIN: Duration = Duration::from_secs(2);

/// Bytes read beyond the limit.
const THROWN_AWAY: usize = 4 * 1024 * 1024;

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
    let hopeless = declared.is_some_and(|declared| declared > limit as u64);
    let within = if hopeless { HOPELESS_WITHIN } else { WITHIN };
    let body = match timeout(within, read(request.take_body(), limit)).await {
        Ok(Ok(Some(body))) => body,
        Ok(Err(error)) => {
            return Err(Problem::invalid("", format!("The body cannot be read: {error}")).into());
        }
        Err(_) if !hopeless => {
            let detail = format!("The body did not come within {} seconds.", WITHIN.as_secs());
            return Err(Problem::new(StatusCode::REQUEST_TIMEOUT, "body_too_slow", detail).into());
        }
        Ok(Ok(None)) | Err(_) => {
            let detail = format!("The body is larger than {limit} bytes.");
            return Err(Problem::new(StatusCode::PAYLOAD_TOO_LARGE, "body_too_large", detail).into());
        }
    };
    request.set_data(RawBody(body));
    next.call(request).await
}

/// The body, or none if it is too large. Of one that is, some more is read and thrown away:
/// a client that is still sending would find its connection broken instead of the answer.
async fn read(body: Body, limit: usize) -> Result<Option<Bytes>, IoError> {
    let mut chunks = Box::pin(body.into_bytes_stream());
    let mut kept = BytesMut::new();
    let mut seen = 0;
    while let Some(chunk) = chunks.next().await.transpose()? {
        seen += chunk.len();
        if seen <= limit {
            kept.extend_from_slice(&chunk);
        } else if seen > limit + THROWN_AWAY {
            break;
        }
    }
    Ok((seen <= limit).then(|| kept.freeze()))
}
