//! CORS with a list of allowed origins.
//!
//! A page of another origin gets a response without the CORS headers, so its browser does not let it read the
//! response. It is not refused: browsers send `Origin` also for pages of the site itself.

use poem::{
    Endpoint, Request, Response, Result,
    http::{HeaderName, HeaderValue, Method, StatusCode, header},
};

use crate::{middleware::next::Next, state::State};

const METHODS: &str = "GET, POST, PUT, PATCH, DELETE";
/// Clients that progenitor generates send `api-version`.
const REQUEST_HEADERS: &str =
    "api-version, Authorization, Content-Type, Idempotency-Key, If-None-Match, Prefer, X-Request-Id";
const RESPONSE_HEADERS: &str = "ETag, Link, Location, Preference-Applied, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, Retry-After, X-Request-Id";

pub(super) async fn add_headers(next: Next, request: Request) -> Result<Response> {
    let allowed = allowed_origin(&request);
    let is_preflight = request.method() == Method::OPTIONS
        && request.headers().contains_key(header::ORIGIN)
        && request.headers().contains_key(header::ACCESS_CONTROL_REQUEST_METHOD);
    let mut response = if is_preflight {
        Response::builder().status(StatusCode::NO_CONTENT).finish()
    } else {
        next.call(request).await?
    };
    let headers = response.headers_mut();
    headers.append(header::VARY, HeaderValue::from_static("Origin"));
    if let Some(origin) = allowed {
        let mut set =
            |name: HeaderName, value: &'static str| headers.insert(name, HeaderValue::from_static(value));
        if is_preflight {
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
