//! Requires exactly one `Host` header.

use poem::{
    Endpoint, Request, Response, Result,
    http::{StatusCode, Version, header},
};

use crate::{http::problem::Problem, middleware::next::Next};

/// RFC 9112 §3.2. Of two hosts, a proxy could have used the other one. HTTP/1.0 allows a request without a host.
pub(super) async fn require_one_host(next: Next, request: Request) -> Result<Response> {
    let hosts = request.headers().get_all(header::HOST).iter().count();
    if hosts > 1 || (hosts == 0 && request.version() >= Version::HTTP_11) {
        let detail = "The request must have exactly one Host header.";
        return Err(Problem::new(StatusCode::BAD_REQUEST, "bad_request", detail).into());
    }
    next.call(request).await
}
