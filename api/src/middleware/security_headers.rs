//! Security headers, as the OWASP REST cheat sheet recommends them.

use poem::{
    Response,
    http::{HeaderValue, header},
};

use crate::http::route_policy::{HeaderClass, RoutePolicy};

/// A browser must not execute or embed any part of the response, also if a player has uploaded it.
const API: HeaderValue = HeaderValue::from_static("default-src 'none'; frame-ancestors 'none'; sandbox");

/// A page may use its inline scripts and styles.
const PAGE: HeaderValue = HeaderValue::from_static(
    "default-src 'self'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; \
     img-src 'self' data:; frame-ancestors 'none'",
);

pub(super) fn add(policy: &RoutePolicy, response: &mut Response) {
    let content_policy = match policy.headers {
        HeaderClass::Api => API,
        HeaderClass::Page => PAGE,
    };
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_SECURITY_POLICY, content_policy);
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(header::X_FRAME_OPTIONS, HeaderValue::from_static("DENY"));
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    headers
        .entry(header::STRICT_TRANSPORT_SECURITY)
        .or_insert(HeaderValue::from_static("max-age=63072000; includeSubDomains"));
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
}
