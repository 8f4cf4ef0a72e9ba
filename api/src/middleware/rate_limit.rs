//! Counts the requests of each account, service or address.

use guildhall_common::contract::command::Actor;
use poem::{
    Request, Response,
    http::{HeaderName, HeaderValue, Method},
};

use crate::{
    auth::caller::Identity,
    http::{
        client_address::ClientAddress,
        problem::Problem,
        rate_limits::{RateLimitKey, RemainingQuota},
        route_policy::{RateLimit, RoutePolicy},
    },
    state::State,
};

const LIMIT: HeaderName = HeaderName::from_static("ratelimit-limit");
const REMAINING: HeaderName = HeaderName::from_static("ratelimit-remaining");
const RESET: HeaderName = HeaderName::from_static("ratelimit-reset");

/// Counts each request for its address. It costs nothing else, so it comes before the caller is identified.
pub(super) fn count_address(request: &Request, policy: &RoutePolicy, state: &State) -> Result<(), Problem> {
    match request.data::<ClientAddress>() {
        Some(address) if policy.rate_limit == RateLimit::Counted => state.rate_limits.try_address(*address),
        _ => Ok(()),
    }
}

/// Counts each request for its caller.
pub(super) fn count_request(
    request: &Request,
    policy: &RoutePolicy,
    state: &State,
) -> Result<Option<RemainingQuota>, Problem> {
    key(request, policy).map(|key| state.rate_limits.try_request(key)).transpose()
}

/// The client that the request counts for, or None if the request does not count here.
fn key(request: &Request, policy: &RoutePolicy) -> Option<RateLimitKey> {
    if policy.rate_limit == RateLimit::CountedIfUnverified && request.method() == Method::POST {
        return None;
    }
    match request.data::<Identity>().map(Identity::actor) {
        Some(Actor::Account(id)) => Some(RateLimitKey::Account(id)),
        Some(Actor::Service(id)) => Some(RateLimitKey::Service(id)),
        _ => request.data::<ClientAddress>().copied().map(RateLimitKey::of_address),
    }
}

/// The header fields of draft-ietf-httpapi-ratelimit-headers-03, which clients support.
pub(super) fn add_headers(response: &mut Response, quota: &RemainingQuota) {
    let headers = response.headers_mut();
    headers.insert(LIMIT, HeaderValue::from(quota.limit));
    headers.insert(REMAINING, HeaderValue::from(quota.remaining));
    headers.insert(RESET, HeaderValue::from(quota.reset));
}
