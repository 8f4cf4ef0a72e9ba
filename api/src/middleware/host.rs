//! Requires exactly one `Host` header.

use poem::{
    Request,
    http::{StatusCode, Version, header},
};

use crate::http::problem::Problem;

/// RFC 9112 §3.2. Of two hosts, a proxy could have used the other one. HTTP/1.0 allows a request without a host.
pub(super) fn require_one_host(request: &Request) -> Result<(), Problem> {
    let hosts = request.headers().get_all(header::HOST).iter().count();
    if hosts > 1 || (hosts == 0 && request.version() >= Version::HTTP_11) {
        let detail = "The request must have exactly one Host header.";
        return Err(Problem::new(StatusCode::BAD_REQUEST, "bad_request", detail));
    }
    Ok(())
}
