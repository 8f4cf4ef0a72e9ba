//! The limits of failed log-ins. Each process counts for itself.
//!
//! A failure counts for the login and the client's network together. Failures of clients that are unknown to the account
//! count for their network and for the login, too. So strangers can delay only other strangers.
//! A wrong password of a client with a session of the account counts for the account and the client's network, and for the account.
//! These counters are apart from those of log-ins: strangers cannot use them up, and the thief of a token cannot delay log-ins.
//! A wrong code of a second factor counts for the account. Only clients with its password can send one.

use std::{net::IpAddr, num::NonZeroU32, sync::Arc, time::Duration};

use guildhall_common::contract::account::AccountId;

use crate::{
    auth::{
        device::DeviceHash,
        failure_counters::{FailureCounters, FailureLimit},
    },
    http::problem::Problem,
};

/// The failures of a network, of all unknown clients for one login, or of all sessions of an account, in multiples of the limit of one
/// client.
const STRANGERS: u32 = 5;

/// The wrong codes of a second factor in a period.
const WRONG_CODES: f64 = 5.0;

/// The period of passwords, in seconds.
const MINUTE: f64 = 60.0;

/// The period of codes, in seconds.
const QUARTER_HOUR: f64 = 900.0;

/// What the account knows about the client of a log-in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Familiarity {
    /// The client has a token of an earlier log-in to this account.
    KnownDevice(DeviceHash),
    /// An earlier log-in to this account came from the client's network.
    KnownNetwork,
    Unknown,
}

/// What failures are counted for. A login is counted as it is written, so a name and an e-mail address of one account
/// cannot be linked.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum FailureKey {
    Device(String, DeviceHash),
    Client(String, IpAddr),
    Network(IpAddr),
    Login(String),
    OwnerClient(AccountId, IpAddr),
    Owner(AccountId),
    Code(AccountId),
}

pub(crate) struct LogInLimits {
    /// The failures per minute of one client for one login.
    per_minute: NonZeroU32,
    counters: FailureCounters<FailureKey>,
}

/// A log-in that counts as a failure, unless it succeeds.
#[must_use]
pub(crate) struct LogInAttempt {
    limits: Arc<LogInLimits>,
    keys: Vec<FailureKey>,
}

/// Too many failures: the time to wait.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TooManyFailures(pub(crate) Duration);

impl LogInLimits {
    pub(crate) fn new(per_minute: NonZeroU32) -> Self {
        Self { per_minute, counters: FailureCounters::default() }
    }

    /// Starts an attempt to log in. It counts from now on, so that attempts at the same time cannot exceed the limit.
    ///
    /// # Errors
    /// When there were too many failures.
    pub(crate) fn start(
        self: &Arc<Self>,
        login: &str,
        network: IpAddr,
        familiarity: Familiarity,
    ) -> Result<LogInAttempt, TooManyFailures> {
        let login = login.to_owned();
        let keys = match familiarity {
            Familiarity::KnownDevice(device) => vec![FailureKey::Device(login, device)],
            Familiarity::KnownNetwork => vec![FailureKey::Client(login, network)],
            Familiarity::Unknown => vec![
                FailureKey::Client(login.clone(), network),
                FailureKey::Network(network),
                FailureKey::Login(login),
            ],
        };
        self.count(keys)
    }

    /// Starts an attempt of a client with a session to prove the password of its account.
    ///
    /// # Errors
    /// When there were too many failures.
    pub(crate) fn start_proof(
        self: &Arc<Self>,
        account_id: AccountId,
        network: IpAddr,
    ) -> Result<LogInAttempt, TooManyFailures> {
        self.count(vec![FailureKey::OwnerClient(account_id, network), FailureKey::Owner(account_id)])
    }

    /// Starts an attempt to prove the second factor of an account.
    ///
    /// # Errors
    /// When there were too many failures.
    pub(crate) fn start_code(
        self: &Arc<Self>,
        account_id: AccountId,
    ) -> Result<LogInAttempt, TooManyFailures> {
        self.count(vec![FailureKey::Code(account_id)])
    }

    fn count(self: &Arc<Self>, keys: Vec<FailureKey>) -> Result<LogInAttempt, TooManyFailures> {
        let limited = keys.iter().map(|key| (key.clone(), self.limit(key))).collect();
        self.counters.count(limited).map_err(TooManyFailures)?;
        Ok(LogInAttempt { limits: self.clone(), keys })
    }

    /// Removes the counters without recent failures.
    pub(crate) fn remove_inactive(&self) {
        self.counters.remove_inactive();
    }

    fn limit(&self, key: &FailureKey) -> FailureLimit {
        let of_client = f64::from(self.per_minute.get());
        match key {
            FailureKey::Device(..) | FailureKey::Client(..) | FailureKey::OwnerClient(..) => {
                FailureLimit { failures: of_client, period: MINUTE }
            }
            FailureKey::Network(_) | FailureKey::Login(_) | FailureKey::Owner(_) => {
                FailureLimit { failures: of_client * f64::from(STRANGERS), period: MINUTE }
            }
            FailureKey::Code(_) => FailureLimit { failures: WRONG_CODES, period: QUARTER_HOUR },
        }
    }
}

impl LogInAttempt {
    /// The result of the check of a password or a code. If the server has failed, nothing was checked, and the attempt does not count.
    ///
    /// # Errors
    /// The problem of the check.
    pub(crate) fn unless_failed<T>(self, checked: Result<T, Problem>) -> Result<(Self, T), Problem> {
        match checked {
            Ok(value) => Ok((self, value)),
            Err(problem) => {
                if problem.status.is_server_error() {
                    self.succeeded();
                }
                Err(problem)
            }
        }
    }

    /// The password or the code was right, so the attempt does not count.
    pub(crate) fn succeeded(self) {
        self.limits.counters.take_back(&self.keys);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limits(per_minute: u32) -> Arc<LogInLimits> {
        Arc::new(LogInLimits::new(per_minute.try_into().unwrap()))
    }

    fn network(last: u8) -> IpAddr {
        [203, 0, 113, last].into()
    }

    #[tokio::test(start_paused = true)]
    async fn only_failures_count() {
        let limits = limits(2);
        let start = || limits.start("mira", network(1), Familiarity::Unknown);
        for _ in 0..10 {
            start().unwrap().succeeded();
        }
        let _failures = [start().unwrap(), start().unwrap()];
        let TooManyFailures(wait) = start().map(|_| ()).unwrap_err();
        assert_eq!(wait.as_secs(), 30);
        tokio::time::advance(wait).await;
        let _failure = start().unwrap();
    }

    #[tokio::test(start_paused = true)]
    async fn strangers_do_not_keep_known_clients_out() {
        let limits = limits(1);
        for last in 1..=5 {
            let _failure = limits.start("mira", network(last), Familiarity::Unknown).unwrap();
        }
        assert!(limits.start("mira", network(6), Familiarity::Unknown).is_err());
        let _failure = limits.start("mira", network(6), Familiarity::KnownNetwork).unwrap();
        assert!(limits.start("mira", network(6), Familiarity::KnownNetwork).is_err());
        let device = DeviceHash::of("a token");
        let _failure = limits.start("mira", network(6), Familiarity::KnownDevice(device)).unwrap();
    }

    #[tokio::test(start_paused = true)]
    async fn failures_of_an_unknown_client_count_for_its_network_with_any_login() {
        let limits = limits(1);
        for login in ["anna", "bela", "carl", "dora", "emil"] {
            let _failure = limits.start(login, network(1), Familiarity::Unknown).unwrap();
        }
        assert!(limits.start("mira", network(1), Familiarity::Unknown).is_err());
        let _failure = limits.start("mira", network(2), Familiarity::Unknown).unwrap();
    }

    #[tokio::test(start_paused = true)]
    async fn failures_of_the_server_do_not_count() {
        let limits = limits(1);
        for _ in 0..5 {
            let attempt = limits.start("mira", network(1), Familiarity::Unknown).unwrap();
            let failed: Result<bool, _> = Err(Problem::unavailable("busy", "Try again."));
            assert!(attempt.unless_failed(failed).is_err());
        }
        let attempt = limits.start("mira", network(1), Familiarity::Unknown).unwrap();
        let (_failure, is_correct) = attempt.unless_failed(Ok(false)).unwrap();
        assert!(!is_correct && limits.start("mira", network(1), Familiarity::Unknown).is_err());
    }

    #[tokio::test(start_paused = true)]
    async fn wrong_passwords_of_sessions_are_limited_per_network_and_account() {
        let limits = limits(1);
        let [account, other] = [1, 2].map(|id: i64| AccountId::try_from(id).unwrap());
        for last in 1..=5 {
            let _failure = limits.start_proof(account, network(last)).unwrap();
            assert!(limits.start_proof(account, network(last)).is_err());
        }
        assert!(limits.start_proof(account, network(6)).is_err());
        let _failure = limits.start_proof(other, network(1)).unwrap();
        let _failure = limits.start("account 1", network(1), Familiarity::KnownNetwork).unwrap();
    }

    #[tokio::test(start_paused = true)]
    async fn five_wrong_codes_are_allowed_in_a_quarter_of_an_hour() {
        let limits = limits(1);
        let [account, other] = [1, 2].map(|id: i64| AccountId::try_from(id).unwrap());
        for _ in 0..5 {
            let _failure = limits.start_code(account).unwrap();
            limits.start_code(other).unwrap().succeeded();
        }
        let TooManyFailures(wait) = limits.start_code(account).map(|_| ()).unwrap_err();
        assert_eq!(wait.as_secs(), 180);
        tokio::time::advance(wait).await;
        let _failure = limits.start_code(account).unwrap();
        assert!(limits.start_code(account).is_err());
    }
}
