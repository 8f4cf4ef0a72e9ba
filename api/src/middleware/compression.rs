//! Compression of large text responses with gzip.

use std::io::Write;

use bytes::Bytes;
use flate2::{Compression, write::GzEncoder};
use poem::{
    Body, Request, Response,
    error::ResponseError,
    http::{HeaderValue, header},
};

use crate::http::problem::Problem;

/// The smallest body in bytes that is compressed. For smaller ones the saving is less than the cost.
const SMALLEST: usize = 1024;

/// Whether the client accepts gzip.
pub(super) fn is_accepted(request: &Request) -> bool {
    request.header(header::ACCEPT_ENCODING).is_some_and(accepts_gzip)
}

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
    let compressed = gzip(&body).map(|compressed| {
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

fn gzip(body: &[u8]) -> std::io::Result<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::with_capacity(body.len() / 3), Compression::fast());
    encoder.write_all(body)?;
    encoder.finish()
}

/// The compressed bytes have the same meaning as the original ones, but they differ. A weak tag says this.
fn weaken_etag(response: &mut Response) {
    let weak =
        response.header(header::ETAG).filter(|tag| !tag.starts_with("W/")).map(|tag| format!("W/{tag}"));
    if let Some(Ok(weak)) = weak.map(|weak| HeaderValue::from_str(&weak)) {
        response.headers_mut().insert(header::ETAG, weak);
    }
}

/// Whether the header contains gzip or `*` with a weight above zero (RFC 9110 §12.5.3).
fn accepts_gzip(header: &str) -> bool {
    let weight = |name: &str| {
        header.split(',').find_map(|offer| {
            let mut parts = offer.split(';').map(str::trim);
            parts.next().filter(|coding| coding.eq_ignore_ascii_case(name))?;
            let weight =
                parts.find_map(|part| part.strip_prefix("q=")).and_then(|weight| weight.parse::<f32>().ok());
            Some(weight.unwrap_or(1.0))
        })
    };
    weight("gzip").or_else(|| weight("*")).is_some_and(|weight| weight > 0.0)
}

#[cfg(test)]
mod tests {
    use super::accepts_gzip;

    #[test]
    fn gzip_needs_a_weight_above_zero() {
        assert!(accepts_gzip("br, gzip;q=0.5"));
        assert!(accepts_gzip("*"));
        assert!(!accepts_gzip("gzip;q=0, *"));
        assert!(!accepts_gzip("br"));
        assert!(!accepts_gzip("identity"));
    }
}
