//! Compression of large text responses with gzip.

use bytes::Bytes;
use poem::{
    Body, Response,
    error::ResponseError,
    http::{HeaderValue, header},
};

use crate::http::{gzip, problem::Problem};

/// The smallest body in bytes that is compressed. For smaller ones the saving is less than the cost.
const SMALLEST: usize = 1024;

/// Completes the headers of a text, which a 304 has, too. Takes and returns its body if it is to be compressed.
pub(super) async fn prepare(is_accepted: bool, response: &mut Response) -> Option<Bytes> {
    let is_text = response.content_type().is_some_and(is_text);
    if !is_text || response.headers().contains_key(header::CONTENT_ENCODING) {
        return None;
    }
    response.headers_mut().append(header::VARY, HeaderValue::from_static("Accept-Encoding"));
    if !is_accepted {
        return None;
    }
    match response.take_body().into_bytes().await {
        Ok(body) if body.len() > SMALLEST => {
            weaken_etag(response);
            Some(body)
        }
        Ok(body) => {
            response.set_body(body);
            None
        }
        Err(error) => {
            *response = Problem::internal("a response could not be read", &error).as_response();
            None
        }
    }
}

/// Sets the body, compressed.
pub(super) fn compress(body: Option<Bytes>, response: &mut Response) {
    let Some(body) = body else { return };
    let compressed = gzip::compress(&body).map(|compressed| {
        response.headers_mut().insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
        Body::from(compressed)
    });
    response.set_body(compressed.unwrap_or_else(|_| Body::from(body)));
}

/// Event streams are excluded: compression needs the whole body.
fn is_text(kind: &str) -> bool {
    kind.contains("json")
        || kind.contains("svg")
        || (kind.starts_with("text/") && !kind.contains("event-stream"))
}

/// The compressed bytes have the same meaning as the original ones, but they differ. A weak tag says this.
fn weaken_etag(response: &mut Response) {
    let weak =
        response.header(header::ETAG).filter(|tag| !tag.starts_with("W/")).map(|tag| format!("W/{tag}"));
    if let Some(Ok(weak)) = weak.map(|weak| HeaderValue::from_str(&weak)) {
        response.headers_mut().insert(header::ETAG, weak);
    }
}
