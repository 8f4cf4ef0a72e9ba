//! Whom a request is for: said once.

use poem::{
    Endpoint, Request, Response, Result,
    http::{StatusCode, Version, header},
};

use crate::{http::problem::Problem, middleware::Next};

/// RFC 9112 §3.2: of two hosts a proxy in front may have believed the other one.
pub(super) async fn require(next: Next, request: Request) -> Result<Response> {
    let hosts = request.headers().get_all(header::HOST).iter().count();
    if hosts > 1 || (hosts == 0 && request.version() >= Version::HTTP_11) {
        let detail = "The request must have one Host.";
        return Err(Problem::new(StatusCode::BAD_REQUEST, "bad_request", detail).into());
    }
    next.call(request).await
}
