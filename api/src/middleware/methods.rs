//! Methods that no route has an endpoint for.

use poem::{Request, http::Method};

/// A `HEAD` request is handled as `GET`. The server leaves the body out. An unknown method is handled as `TRACE`:
/// every path refuses it with the header `Allow`.
pub(super) fn map_method(request: &mut Request) {
    match *request.method() {
        Method::GET | Method::POST | Method::PUT | Method::PATCH | Method::DELETE | Method::OPTIONS => {}
        Method::HEAD => request.set_method(Method::GET),
        _ => request.set_method(Method::TRACE),
    }
}
