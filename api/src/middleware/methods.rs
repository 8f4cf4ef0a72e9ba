//! Methods that no route has an endpoint for.

use poem::{Endpoint, Request, Response, Result, http::Method};

use crate::middleware::Next;

/// `HEAD` is answered wherever `GET` is; the server leaves the body out. A method that HTTP
/// itself does not know is answered as `TRACE` is: every path refuses that, with an `Allow`.
pub(super) async fn reduce(next: Next, mut request: Request) -> Result<Response> {
    match *request.method() {
        Method::GET | Method::POST | Method::PUT | Method::PATCH | Method::DELETE | Method::OPTIONS => {}
        Method::HEAD => request.set_method(Method::GET),
        _ => request.set_method(Method::TRACE),
    }
    next.call(request).await
}
