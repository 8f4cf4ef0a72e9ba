//! What goes wrong on demand: the body of `PUT /sandbox/faults`.

use std::time::Duration;

use serde::{Deserialize, Serialize};

/// When a fault strikes: `2` is the next two times, `{"probability": 0.5}` every other time or so.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(untagged, deny_unknown_fields, expecting = "a count, or an object with a probability")]
pub(crate) enum When {
    Next(u32),
    Probability { probability: f64 },
}

impl Default for When {
    fn default() -> Self {
        Self::Next(0)
    }
}

impl When {
    pub(crate) fn strikes(&mut self) -> bool {
        match self {
            Self::Next(0) => false,
            Self::Next(left) => {
                *left -= 1;
                true
            }
            Self::Probability { probability } => rand::random::<f64>() < *probability,
        }
    }
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Faults {
    pub(crate) notifications: NotificationFaults,
    pub(crate) api: ApiFaults,
}

/// Faults of notifications. One POST is one time, however many Pix it carries.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct NotificationFaults {
    /// It is never sent.
    pub(crate) drop: When,
    /// It is sent `duplicate_times` times at once.
    pub(crate) duplicate: When,
    pub(crate) duplicate_times: u32,
    /// It is sent after the one that follows it, or after 5 s.
    pub(crate) reorder: When,
    /// Every one is sent so much later.
    pub(crate) delay_ms: u64,
    /// `PUT /cob` pays its charge and notifies; its 201 follows `before_created_ms` later.
    pub(crate) before_created: When,
    pub(crate) before_created_ms: u64,
    /// It names a key that is not the receiver's.
    pub(crate) foreign_key: When,
    /// It names a txid that nobody knows.
    pub(crate) unknown_txid: When,
    /// Every value in the query of the webhook's URL is spoiled.
    pub(crate) bad_secret: When,
    /// Half of the body is missing.
    pub(crate) truncated: When,
}

impl Default for NotificationFaults {
    fn default() -> Self {
        let never = When::default();
        Self {
            drop: never,
            duplicate: never,
            duplicate_times: 2,
            reorder: never,
            delay_ms: 0,
            before_created: never,
            before_created_ms: 500,
            foreign_key: never,
            unknown_txid: never,
            bad_secret: never,
            truncated: never,
        }
    }
}

/// What goes wrong with one notification.
pub(crate) struct Plan {
    pub(crate) drop: bool,
    pub(crate) copies: u32,
    pub(crate) after_next: bool,
    pub(crate) delay: Duration,
    pub(crate) foreign_key: bool,
    pub(crate) unknown_txid: bool,
    pub(crate) bad_secret: bool,
    pub(crate) truncated: bool,
}

impl NotificationFaults {
    pub(crate) fn plan(&mut self) -> Plan {
        Plan {
            drop: self.drop.strikes(),
            copies: if self.duplicate.strikes() { self.duplicate_times } else { 1 },
            after_next: self.reorder.strikes(),
            delay: Duration::from_millis(self.delay_ms),
            foreign_key: self.foreign_key.strikes(),
            unknown_txid: self.unknown_txid.strikes(),
            bad_secret: self.bad_secret.strikes(),
            truncated: self.truncated.strikes(),
        }
    }
}

/// Faults of the API. Tokens are given whatever is set here.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct ApiFaults {
    /// Only calls that start so have faults, such as `PUT /cob/`.
    pub(crate) only: String,
    /// Every call takes so much longer.
    pub(crate) slow_ms: u64,
    /// The call is not answered: after `timeout_ms` the connection is cut. Nothing was done.
    pub(crate) timeout: When,
    pub(crate) timeout_ms: u64,
    /// The call is answered `error_status`. Nothing was done.
    pub(crate) error: When,
    pub(crate) error_status: u16,
    /// The call is answered 429 with a `Retry-After` of `retry_after` seconds.
    pub(crate) rate_limited: When,
    pub(crate) retry_after: u32,
    /// The call's token is not good any more.
    pub(crate) token_expired: When,
    /// A write is done, and the connection cut before it is answered.
    pub(crate) drop_after_apply: When,
    /// `GET /cob/{txid}` tells a key that is not the receiver's.
    pub(crate) wrong_chave: When,
    /// A refund ends NAO_REALIZADO.
    pub(crate) devolucao_fails: When,
}

impl Default for ApiFaults {
    fn default() -> Self {
        let never = When::default();
        Self {
            only: String::new(),
            slow_ms: 0,
            timeout: never,
            timeout_ms: 30_000,
            error: never,
            error_status: 503,
            rate_limited: never,
            retry_after: 1,
            token_expired: never,
            drop_after_apply: never,
            wrong_chave: never,
            devolucao_fails: never,
        }
    }
}

/// What goes wrong with one call before it is looked at.
pub(crate) enum CallFault {
    Cut(Duration),
    Status(u16),
    RateLimited(u32),
    TokenExpired,
}

impl ApiFaults {
    /// `call` is the method and the path, with a space between.
    pub(crate) fn strike(&mut self, call: &str) -> Option<CallFault> {
        if !self.concerns(call) {
            None
        } else if self.timeout.strikes() {
            Some(CallFault::Cut(Duration::from_millis(self.timeout_ms)))
        } else if self.error.strikes() {
            Some(CallFault::Status(self.error_status))
        } else if self.rate_limited.strikes() {
            Some(CallFault::RateLimited(self.retry_after))
        } else if self.token_expired.strikes() {
            Some(CallFault::TokenExpired)
        } else {
            None
        }
    }

    pub(crate) fn slowness(&self, call: &str) -> Duration {
        Duration::from_millis(if self.concerns(call) { self.slow_ms } else { 0 })
    }

    /// Whether a write that was done is not answered.
    pub(crate) fn cuts(&mut self, call: &str) -> bool {
        self.concerns(call) && !call.starts_with("GET ") && self.drop_after_apply.strikes()
    }

    fn concerns(&self, call: &str) -> bool {
        call.starts_with(&self.only)
    }
}
