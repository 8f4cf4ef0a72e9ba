//! Counts the requests of each account, service or address.

use guildhall_common::contract::command::Actor;
use poem::{
    Endpoint, Request, Response, Result,
    http::{HeaderValue, Method},
};

use crate::{
    auth::caller::Identity,
    http::{
        client_address::ClientAddress,
        rate_limits::{RateLimitKey, RemainingQuota},
        route_policy::{self, RateLimit},
    },
    middleware::{errors::error_response, next::Next},
    state::State,
};

/// Counts each request for its address. It costs nothing else, so it comes before the caller is identified.
pub(super) async fn count_address(next: Next, request: Request) -> Result<Response> {
    let is_counted = route_policy::of(request.uri().path()).rate_limit == RateLimit::Counted;
    if let (true, Some(state), Some(address)) =
        (is_counted, request.data::<State>(), request.data::<ClientAddress>())
    {
        state.rate_limits.try_address(*address)?;
    }
    next.call(request).await
}

/// Counts each request for its caller.
pub(super) async fn count_request(next: Next, request: Request) -> Result<Response> {
    let (Some(state), Some(key)) = (request.data::<State>().cloned(), key(&request)) else {
        return next.call(request).await;
    };
    let quota = state.rate_limits.try_request(key)?;
    let mut response = next.call(request).await.unwrap_or_else(error_response);
    add_headers(&mut response, &quota);
    Ok(response)
}

/// The client that the request counts for, or None if the request does not count here.
fn key(request: &Request) -> Option<RateLimitKey> {
    match route_policy::of(request.uri().path()).rate_limit {
        RateLimit::NotCounted => return None,
        RateLimit::CountedIfUnverified if request.method() == Method::POST => return None,
        RateLimit::CountedIfUnverified | RateLimit::Counted => {}
    }
    match request.data::<Identity>().map(Identity::actor) {
        Some(Actor::Account(id)) => Some(RateLimitKey::Account(id)),
        Some(Actor::Service(id)) => Some(RateLimitKey::Service(id)),
        _ => request.data::<ClientAddress>().copied().map(RateLimitKey::of_address),
    }
}

/// The header fields of draft-ietf-httpapi-ratelimit-headers-03, which clients support.
fn add_headers(response: &mut Response, quota: &RemainingQuota) {
    let headers = response.headers_mut();
    headers.insert("RateLimit-Limit", HeaderValue::from(quota.limit));
    headers.insert("RateLimit-Remaining", HeaderValue::from(quota.remaining));
    headers.insert("RateLimit-Reset", HeaderValue::from(quota.reset));
}
