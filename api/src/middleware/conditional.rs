//! The header `If-None-Match`: a response with the same `ETag` becomes 304.

use poem::{
    Body, Request, Response,
    http::{HeaderValue, Method, StatusCode, header},
};

/// The tags that a client knows.
pub(super) struct KnownTag(Option<HeaderValue>);

impl KnownTag {
    pub(super) fn of(request: &Request) -> Self {
        let is_read = matches!(*request.method(), Method::GET | Method::HEAD);
        Self(request.headers().get(header::IF_NONE_MATCH).filter(|_| is_read).cloned())
    }

    /// Removes the body of a response that the client knows. Returns whether it does.
    pub(super) fn apply(&self, response: &mut Response) -> bool {
        let known = self.0.as_ref().and_then(|known| known.to_str().ok());
        let is_known = response.status() == StatusCode::OK
            && known.zip(response.header(header::ETAG)).is_some_and(|(known, tag)| matches(known, tag));
        if is_known {
            response.set_status(StatusCode::NOT_MODIFIED);
            response.headers_mut().remove(header::CONTENT_TYPE);
            response.set_body(Body::empty());
        }
        is_known
    }
}

/// The weak comparison of RFC 9110 §13.1.2.
fn matches(known: &str, tag: &str) -> bool {
    fn opaque(tag: &str) -> &str {
        tag.trim().trim_start_matches("W/")
    }
    known.trim() == "*" || known.split(',').any(|known| opaque(known) == opaque(tag))
}
