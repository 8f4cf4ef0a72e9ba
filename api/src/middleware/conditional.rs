//! The header `If-None-Match`: a response with the same `ETag` becomes 304.

use poem::{
    Body, Endpoint, Request, Response, Result,
    http::{Method, StatusCode, header},
};

use crate::middleware::next::Next;

pub(super) async fn respond_not_modified(next: Next, request: Request) -> Result<Response> {
    let is_read = matches!(*request.method(), Method::GET | Method::HEAD);
    let known = request.header(header::IF_NONE_MATCH).filter(|_| is_read).map(ToOwned::to_owned);
    let mut response = next.call(request).await?;
    if let (Some(known), Some(tag)) = (known, response.header(header::ETAG))
        && response.status() == StatusCode::OK
        && matches(&known, tag)
    {
        response.set_status(StatusCode::NOT_MODIFIED);
        response.headers_mut().remove(header::CONTENT_TYPE);
        response.set_body(Body::empty());
    }
    Ok(response)
}

/// The weak comparison of RFC 9110 §13.1.2.
fn matches(known: &str, tag: &str) -> bool {
    let opaque = |tag: &str| tag.trim().trim_start_matches("W/").to_owned();
    known.trim() == "*" || known.split(',').any(|known| opaque(known) == opaque(tag))
}
