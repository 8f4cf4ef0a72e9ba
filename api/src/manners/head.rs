//! `HEAD` is answered wherever `GET` is; the server leaves the body out.

use poem::{Endpoint, Request, Response, Result, http::Method};

use super::Next;

pub(super) async fn as_get(next: Next, mut request: Request) -> Result<Response> {
    if request.method() == Method::HEAD {
        request.set_method(Method::GET);
    }
    next.call(request).await
}
