//! The counters of the rate limits. Each process counts for itself.

use std::{net::IpAddr, num::NonZeroU32, sync::Arc, time::Duration};

use governor::{
    NotUntil, Quota, RateLimiter,
    clock::{Clock, DefaultClock},
    middleware::{StateInformationMiddleware, StateSnapshot},
    state::keyed::DefaultKeyedStateStore,
};
use guildhall_common::contract::account::{AccountId, ServiceTokenId};
use poem::http::StatusCode;

use crate::http::{problem::Problem, request_data::ClientAddress};

type Limiter<K> = RateLimiter<K, DefaultKeyedStateStore<K>, DefaultClock, StateInformationMiddleware>;

/// The client that a request counts for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum RateLimitKey {
    Address(IpAddr),
    Account(AccountId),
    Service(ServiceTokenId),
}

impl RateLimitKey {
    pub(crate) fn of_address(ClientAddress(address): ClientAddress) -> Self {
        Self::Address(network(address))
    }
}

/// The rest of a client's quota, for the response headers.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RemainingQuota {
    pub(crate) limit: u32,
    pub(crate) remaining: u32,
    /// Seconds until the whole quota is available again.
    pub(crate) reset: u64,
}

/// The counters of this process.
pub(crate) struct RateLimits {
    requests: Limiter<RateLimitKey>,
    per_minute: NonZeroU32,
    log_ins_by_account: Limiter<Result<AccountId, String>>,
    log_ins_by_address: Limiter<IpAddr>,
}

impl RateLimits {
    pub(crate) fn new(requests: NonZeroU32, log_ins: NonZeroU32) -> Self {
        // Many players can share one address.
        let by_address = log_ins.saturating_mul(NonZeroU32::new(5).unwrap_or(log_ins));
        Self {
            requests: limiter(requests),
            per_minute: requests,
            log_ins_by_account: limiter(log_ins),
            log_ins_by_address: limiter(by_address),
        }
    }

    /// Counts a request.
    ///
    /// # Errors
    /// 429 if this client sent too many requests.
    pub(crate) fn try_request(&self, key: RateLimitKey) -> Result<RemainingQuota, Problem> {
        let snapshot = self.requests.check_key(&key).map_err(|wait| too_many_requests(&wait))?;
        Ok(self.remaining_quota(&snapshot))
    }

    fn remaining_quota(&self, snapshot: &StateSnapshot) -> RemainingQuota {
        let (limit, remaining) = (self.per_minute.get(), snapshot.remaining_burst_capacity());
        let reset = u64::from(limit.saturating_sub(remaining)) * 60 / u64::from(limit);
        RemainingQuota { limit, remaining, reset }
    }

    /// Counts an attempt to log in from this address. A successful attempt counts, too.
    ///
    /// # Errors
    /// 429 if this address made too many attempts.
    pub(crate) fn try_log_in_from(&self, address: Option<ClientAddress>) -> Result<(), Problem> {
        if let Some(ClientAddress(address)) = address {
            self.log_ins_by_address.check_key(&network(address)).map_err(|wait| too_many_requests(&wait))?;
        }
        Ok(())
    }

    /// Counts an attempt to log in to this account. If the account does not exist, the attempt counts for
    /// the name in the request.
    ///
    /// # Errors
    /// 429 if there were too many attempts for this account.
    pub(crate) fn try_log_in_to(&self, account: Result<AccountId, String>) -> Result<(), Problem> {
        self.log_ins_by_account.check_key(&account).map_err(|wait| too_many_requests(&wait))?;
        Ok(())
    }

    /// Counts a request whose sender is not verified, on a path where verified senders do not count.
    ///
    /// # Errors
    /// 429 if this address sent too many requests.
    pub(crate) fn try_unverified_sender(&self, address: Option<ClientAddress>) -> Result<(), Problem> {
        if let Some(address) = address {
            self.try_request(RateLimitKey::of_address(address))?;
        }
        Ok(())
    }

    /// Removes the counters of inactive clients every minute. It runs as long as the process.
    pub(crate) async fn remove_inactive(self: Arc<Self>) {
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

/// A customer with IPv6 has a whole /64 network.
fn network(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V6(address) => IpAddr::V6((u128::from(address) >> 64 << 64).into()),
        IpAddr::V4(_) => address,
    }
}

fn too_many_requests(wait: &NotUntil<<DefaultClock as Clock>::Instant>) -> Problem {
    let seconds = wait.wait_time_from(DefaultClock::default().now()).as_secs() + 1;
    let detail = format!("Too many requests: wait {seconds} s.");
    Problem {
        retry_after: Some(seconds),
        ..Problem::new(StatusCode::TOO_MANY_REQUESTS, "too_many_requests", detail)
    }
}
