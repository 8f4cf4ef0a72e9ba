//! CORS with a list of allowed origins.
//!
//! A page of another origin gets a response without the CORS headers, so its browser does not let it read the
//! response. It is not refused: browsers send `Origin` also for pages of the site itself.

use poem::{
    Request, Response,
    http::{HeaderName, HeaderValue, Method, StatusCode, header},
};

use crate::state::State;

const METHODS: &str = "GET, POST, PUT, PATCH, DELETE";
/// Clients that progenitor generates send `api-version`.
const REQUEST_HEADERS: &str =
    "api-version, Authorization, Captcha, Content-Type, Idempotency-Key, If-None-Match, Prefer, X-Request-Id";
const RESPONSE_HEADERS: &str = "ETag, Link, Location, Preference-Applied, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, Retry-After, X-Request-Id";

/// What a request says about the page that it comes from.
pub(super) struct CrossOrigin {
    /// The origin of the page, if it may use the API.
    allowed: Option<HeaderValue>,
    /// A browser asks whether it may send a request.
    pub(super) is_preflight: bool,
}

impl CrossOrigin {
    pub(super) fn of(request: &Request, state: &State) -> Self {
        let Some(origin) = request.headers().get(header::ORIGIN) else {
            return Self { allowed: None, is_preflight: false };
        };
        let is_allowed = state.cors_origins.contains(origin);
        let is_preflight = request.method() == Method::OPTIONS
            && request.headers().contains_key(header::ACCESS_CONTROL_REQUEST_METHOD);
        Self { allowed: is_allowed.then(|| origin.clone()), is_preflight }
    }

    pub(super) fn add_headers(self, response: &mut Response) {
        let headers = response.headers_mut();
        headers.append(header::VARY, HeaderValue::from_static("Origin"));
        let Some(origin) = self.allowed else { return };
        let mut set =
            |name: HeaderName, value: &'static str| headers.insert(name, HeaderValue::from_static(value));
        if self.is_preflight {
            set(header::ACCESS_CONTROL_ALLOW_METHODS, METHODS);
            set(header::ACCESS_CONTROL_ALLOW_HEADERS, REQUEST_HEADERS);
            set(header::ACCESS_CONTROL_MAX_AGE, "86400");
        } else {
            set(header::ACCESS_CONTROL_EXPOSE_HEADERS, RESPONSE_HEADERS);
        }
        headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin);
    }
}

/// The response to a preflight request, without its headers.
pub(super) fn preflight() -> Response {
    Response::builder().status(StatusCode::NO_CONTENT).finish()
}
