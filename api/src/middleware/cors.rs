//! CORS from an allow-list. A stranger's page gets its answer without the headers
//! that would let it read it; refusing outright would hit pages of our own origin,
//! whose browsers send `Origin` as well.

use crate::{middleware::Next, state::State};
use poem::{
    Endpoint, Request, Response, Result,
    http::{HeaderName, HeaderValue, Method, StatusCode, header},
};

const METHODS: &str = "GET, POST, PUT, PATCH, DELETE";
/// `api-version` is what clients made by progenitor say of themselves.
const REQUEST_HEADERS: &str =
    "api-version, Authorization, Content-Type, Idempotency-Key, If-None-Match, Prefer, X-Request-Id";
const RESPONSE_HEADERS: &str = "ETag, Link, Location, Preference-Applied, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, Retry-After, X-Request-Id";

pub(super) async fn share(next: Next, request: Request) -> Result<Response> {
    let allowed = allowed_origin(&request);
    let preflight = request.method() == Method::OPTIONS
        && request.headers().contains_key(header::ORIGIN)
        && request.headers().contains_key(header::ACCESS_CONTROL_REQUEST_METHOD);
    let mut response = if preflight {
        Response::builder().status(StatusCode::NO_CONTENT).finish()
    } else {
        next.call(request).await?
    };
    let headers = response.headers_mut();
    headers.append(header::VARY, HeaderValue::from_static("Origin"));
    if let Some(origin) = allowed {
        let mut set =
            |name: HeaderName, value: &'static str| headers.insert(name, HeaderValue::from_static(value));
        if preflight {
            set(header::ACCESS_CONTROL_ALLOW_METHODS, METHODS);
            set(header::ACCESS_CONTROL_ALLOW_HEADERS, REQUEST_HEADERS);
            set(header::ACCESS_CONTROL_MAX_AGE, "86400");
        } else {
            set(header::ACCESS_CONTROL_EXPOSE_HEADERS, RESPONSE_HEADERS);
        }
        headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin);
    }
    Ok(response)
}

fn allowed_origin(request: &Request) -> Option<HeaderValue> {
    let origin = request.headers().get(header::ORIGIN)?;
    let state = request.data::<State>()?;
    state.cors_origins.iter().any(|allowed| allowed.as_bytes() == origin.as_bytes()).then(|| origin.clone())
}
