//! The counters of the rate limits. Each process counts for itself.

use std::{net::IpAddr, num::NonZeroU32, time::Duration};

use governor::{
    NotUntil, Quota, RateLimiter,
    clock::{Clock, DefaultClock},
    middleware::{StateInformationMiddleware, StateSnapshot},
    state::keyed::DefaultKeyedStateStore,
};
use guildhall_common::contract::account::{AccountId, ServiceTokenId};
use poem::http::StatusCode;

use crate::http::{client_address::ClientAddress, problem::Problem};

type Limiter<K> = RateLimiter<K, DefaultKeyedStateStore<K>, DefaultClock, StateInformationMiddleware>;

/// The requests of an address in multiples of the limit of an account: many players can share one address.
const ADDRESS_FACTOR: NonZeroU32 = NonZeroU32::new(10).unwrap();

/// The audit log has an entry of each of them forever.
const CHARACTER_CHANGES_PER_HOUR: NonZeroU32 = NonZeroU32::new(60).unwrap();

/// Each picture is stored until an hour after its guild has another one.
const LOGO_CHANGES_PER_HOUR: NonZeroU32 = NonZeroU32::new(30).unwrap();

/// The client that a request counts for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum RateLimitKey {
    Address(IpAddr),
    Account(AccountId),
    Service(ServiceTokenId),
}

impl RateLimitKey {
    pub(crate) fn of_address(address: ClientAddress) -> Self {
        Self::Address(address.network())
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
    /// All requests of an address, whoever sends them.
    addresses: Limiter<IpAddr>,
    registrations: Limiter<IpAddr>,
    character_changes: Limiter<AccountId>,
    logo_changes: Limiter<AccountId>,
}

impl RateLimits {
    pub(crate) fn new(requests_per_minute: NonZeroU32, registrations_per_hour: NonZeroU32) -> Self {
        Self {
            requests: limiter(Quota::per_minute(requests_per_minute)),
            per_minute: requests_per_minute,
            addresses: limiter(Quota::per_minute(requests_per_minute.saturating_mul(ADDRESS_FACTOR))),
            registrations: limiter(Quota::per_hour(registrations_per_hour)),
            character_changes: limiter(Quota::per_hour(CHARACTER_CHANGES_PER_HOUR)),
            logo_changes: limiter(Quota::per_hour(LOGO_CHANGES_PER_HOUR)),
        }
    }

    /// Counts a request.
    ///
    /// # Errors
    /// 429 if this client sent too many requests.
    pub(crate) fn try_request(&self, key: RateLimitKey) -> Result<RemainingQuota, Problem> {
        let snapshot = self.requests.check_key(&key).map_err(|wait| refusal(&wait))?;
        Ok(self.remaining_quota(&snapshot))
    }

    fn remaining_quota(&self, snapshot: &StateSnapshot) -> RemainingQuota {
        let (limit, remaining) = (self.per_minute.get(), snapshot.remaining_burst_capacity());
        let reset = u64::from(limit.saturating_sub(remaining)) * 60 / u64::from(limit);
        RemainingQuota { limit, remaining, reset }
    }

    /// Counts a request of this address, before its sender is identified.
    ///
    /// # Errors
    /// 429 if this address sent too many requests.
    pub(crate) fn try_address(&self, address: ClientAddress) -> Result<(), Problem> {
        self.addresses.check_key(&address.network()).map(drop).map_err(|wait| refusal(&wait))
    }

    /// Counts a registration.
    ///
    /// # Errors
    /// 429 if this address registered too many accounts.
    pub(crate) fn try_registration(&self, address: ClientAddress) -> Result<(), Problem> {
        self.registrations.check_key(&address.network()).map(drop).map_err(|wait| refusal(&wait))
    }

    /// Counts a request that renames a character, or requests or cancels its deletion.
    ///
    /// # Errors
    /// 429 if this account sent too many of them.
    pub(crate) fn try_character_change(&self, account_id: AccountId) -> Result<(), Problem> {
        self.character_changes.check_key(&account_id).map(drop).map_err(|wait| refusal(&wait))
    }

    /// Counts an upload of a logo.
    ///
    /// # Errors
    /// 429 if this account sent too many of them.
    pub(crate) fn try_logo_change(&self, account_id: AccountId) -> Result<(), Problem> {
        self.logo_changes.check_key(&account_id).map(drop).map_err(|wait| refusal(&wait))
    }

    /// Counts a request whose sender is not verified, on a path where verified senders do not count.
    ///
    /// # Errors
    /// 429 if this address sent too many requests.
    pub(crate) fn try_unverified_sender(&self, address: ClientAddress) -> Result<(), Problem> {
        self.try_request(RateLimitKey::of_address(address)).map(|_| ())
    }

    /// Removes the counters of inactive clients.
    pub(crate) fn remove_inactive(&self) {
        self.requests.retain_recent();
        self.addresses.retain_recent();
        self.registrations.retain_recent();
        self.character_changes.retain_recent();
        self.logo_changes.retain_recent();
    }
}

fn limiter<K: Clone + Eq + std::hash::Hash>(quota: Quota) -> Limiter<K> {
    RateLimiter::keyed(quota).with_middleware::<StateInformationMiddleware>()
}

fn refusal(wait: &NotUntil<<DefaultClock as Clock>::Instant>) -> Problem {
    too_many_requests(wait.wait_time_from(DefaultClock::default().now()))
}

/// 429 with the time to wait.
pub(crate) fn too_many_requests(wait: Duration) -> Problem {
    let seconds = wait.as_secs() + 1;
    let detail = format!("Too many requests: wait {seconds} s.");
    Problem {
        retry_after: Some(seconds),
        ..Problem::new(StatusCode::TOO_MANY_REQUESTS, "too_many_requests", detail)
    }
}
