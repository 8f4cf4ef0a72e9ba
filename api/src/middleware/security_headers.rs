//! Security headers, by the OWASP REST cheat sheet.

use crate::middleware::Next;
use poem::{
    Endpoint, Request, Response, Result,
    http::{HeaderValue, header},
};

/// Nothing of an answer is to be run or framed.
const NOTHING: HeaderValue = HeaderValue::from_static("default-src 'none'; frame-ancestors 'none'");

/// The interactive documentation is one page with its scripts and styles inside.
const DOCS: HeaderValue = HeaderValue::from_static(
    "default-src 'self'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; \
     img-src 'self' data:; frame-ancestors 'none'",
);

pub(super) async fn add(next: Next, request: Request) -> Result<Response> {
    let policy = if request.uri().path() == "/docs" { DOCS } else { NOTHING };
    let mut response = next.call(request).await?;
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_SECURITY_POLICY, policy);
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(header::X_FRAME_OPTIONS, HeaderValue::from_static("DENY"));
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    headers
        .entry(header::STRICT_TRANSPORT_SECURITY)
        .or_insert(HeaderValue::from_static("max-age=63072000; includeSubDomains"));
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    Ok(response)
}
