//! Limits how often an account, or else an address, may ask, and how often a log-in
//! may be tried. Each process counts for itself.

use std::{net::IpAddr, num::NonZeroU32, sync::Arc, time::Duration};

use crate::{
    auth::Identity,
    http::{health, problem::Problem, request_data::ClientAddress},
    middleware::Next,
    payments::WEBHOOKS,
    state::State,
};
use governor::{
    NotUntil, Quota, RateLimiter,
    clock::{Clock, DefaultClock},
    middleware::{StateInformationMiddleware, StateSnapshot},
    state::keyed::DefaultKeyedStateStore,
};
use poem::{
    Endpoint, Request, Response, Result,
    http::{HeaderValue, Method, StatusCode},
};

type Limiter<K> = RateLimiter<K, DefaultKeyedStateStore<K>, DefaultClock, StateInformationMiddleware>;

/// Who is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Counted {
    Address(IpAddr),
    Account(i64),
    Service(i64),
}

/// The counters of this process.
pub(crate) struct RateLimits {
    requests: Limiter<Counted>,
    per_minute: NonZeroU32,
    log_ins_by_account: Limiter<Result<i64, String>>,
    log_ins_by_address: Limiter<IpAddr>,
}

impl RateLimits {
    pub(crate) fn new(requests: NonZeroU32, log_ins: NonZeroU32) -> Self {
        // Many people may sit behind one address.
        let by_address = log_ins.saturating_mul(NonZeroU32::new(5).unwrap_or(log_ins));
        Self {
            requests: limiter(requests),
            per_minute: requests,
            log_ins_by_account: limiter(log_ins),
            log_ins_by_address: limiter(by_address),
        }
    }

    /// Counts an attempt to log in from this address, whether or not it will succeed.
    ///
    /// # Errors
    /// 429 when there were too many.
    pub(crate) fn try_log_in_from(&self, address: Option<ClientAddress>) -> Result<(), Problem> {
        if let Some(ClientAddress(address)) = address {
            self.log_ins_by_address.check_key(&network(address)).map_err(|wait| too_many(wait_for(&wait)))?;
        }
        Ok(())
    }

    /// Counts an attempt to log in to this account, however it was called; or to none, by what it was called.
    ///
    /// # Errors
    /// 429 when there were too many.
    pub(crate) fn try_log_in_to(&self, account: Result<i64, String>) -> Result<(), Problem> {
        self.log_ins_by_account.check_key(&account).map_err(|wait| too_many(wait_for(&wait)))?;
        Ok(())
    }

    /// Counts somebody who could not prove who they are, where those who can are not counted.
    ///
    /// # Errors
    /// 429 when there were too many from this address.
    pub(crate) fn try_stranger(&self, address: Option<ClientAddress>) -> Result<(), Problem> {
        if let Some(ClientAddress(address)) = address {
            let counted = Counted::Address(network(address));
            self.requests.check_key(&counted).map_err(|wait| too_many(wait_for(&wait)))?;
        }
        Ok(())
    }

    /// Forgets whoever has not asked for a while; for as long as the process lives.
    pub(crate) async fn tidy(self: Arc<Self>) {
        loop {
            tokio::time::sleep(Duration::from_secs(60)).await;
            self.requests.retain_recent();
            self.log_ins_by_account.retain_recent();
            self.log_ins_by_address.retain_recent();
        }
    }
}

fn limiter<K: Clone + Eq + std::hash::Hash>(per_minute: NonZeroU32) -> Limiter<K> {
    RateLimiter::keyed(Quota::per_minute(per_minute)).with_middleware::<StateInformationMiddleware>()
}

/// A customer of IPv6 has a whole /64.
fn network(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V6(address) => IpAddr::V6((u128::from(address) >> 64 << 64).into()),
        IpAddr::V4(_) => address,
    }
}

fn wait_for(wait: &NotUntil<<DefaultClock as Clock>::Instant>) -> Duration {
    wait.wait_time_from(DefaultClock::default().now())
}

fn too_many(wait: Duration) -> Problem {
    let seconds = wait.as_secs() + 1;
    let detail = format!("Too many requests: wait {seconds} s.");
    Problem {
        retry_after: Some(seconds),
        ..Problem::new(StatusCode::TOO_MANY_REQUESTS, "too_many_requests", detail)
    }
}

pub(super) async fn limit(next: Next, request: Request) -> Result<Response> {
    let (Some(state), Some(counted)) = (request.data::<State>().cloned(), counted(&request)) else {
        return next.call(request).await;
    };
    match state.rate_limits.requests.check_key(&counted) {
        Ok(left) => {
            let mut response = next.call(request).await.unwrap_or_else(super::errors::respond);
            describe(&mut response, &state.rate_limits, &left);
            Ok(response)
        }
        Err(wait) => Err(too_many(wait_for(&wait)).into()),
    }
}

/// Probes and scrapers are not counted, nor are banks, which have to prove that they are (see `try_stranger`).
fn counted(request: &Request) -> Option<Counted> {
    let path = request.uri().path();
    let bank = request.method() == Method::POST && WEBHOOKS.contains(&path);
    if bank || health::PATHS.contains(&path) {
        return None;
    }
    use guildhall_common::contract::command::Actor;
    match request.data::<Identity>().map(Identity::actor) {
        Some(Actor::Account(id)) => Some(Counted::Account(id.get())),
        Some(Actor::Service(id)) => Some(Counted::Service(id.get())),
        _ => request.data::<ClientAddress>().map(|address| Counted::Address(network(address.0))),
    }
}

/// The fields of draft-ietf-httpapi-ratelimit-headers-03, which clients know.
fn describe(response: &mut Response, limits: &RateLimits, left: &StateSnapshot) {
    let remaining = left.remaining_burst_capacity();
    let per_minute = limits.per_minute.get();
    let reset = u64::from(per_minute.saturating_sub(remaining)) * 60 / u64::from(per_minute);
    let headers = response.headers_mut();
    headers.insert("RateLimit-Limit", HeaderValue::from(per_minute));
    headers.insert("RateLimit-Remaining", HeaderValue::from(remaining));
    headers.insert("RateLimit-Reset", HeaderValue::from(reset));
}
