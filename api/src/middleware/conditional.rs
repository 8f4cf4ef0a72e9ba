//! The header `If-None-Match`: a response with the same `ETag` becomes 304.

use poem::{
    Body, Request, Response,
    http::{HeaderValue, Method, StatusCode, header},
};

/// The tags that a client knows.
pub(super) struct KnownTags(Vec<HeaderValue>);

impl KnownTags {
    pub(super) fn of(request: &Request) -> Self {
        let is_read = matches!(*request.method(), Method::GET | Method::HEAD);
        let lines = request.headers().get_all(header::IF_NONE_MATCH).iter();
        Self(lines.filter(|_| is_read).cloned().collect())
    }

    /// Removes the body of a response that the client knows. Returns whether it does.
    pub(super) fn apply(&self, response: &mut Response) -> bool {
        let mut known = self.0.iter().filter_map(|known| known.to_str().ok());
        let is_known = response.status() == StatusCode::OK
            && response.header(header::ETAG).is_some_and(|tag| known.any(|known| matches(known, tag)));
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
