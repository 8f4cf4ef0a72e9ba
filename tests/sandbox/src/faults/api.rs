//! Faults of API Pix.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::trigger::FaultTrigger;

/// The request for an access token.
pub(crate) const TOKEN_OPERATION: &str = "POST /oauth/token";

/// Faults of API Pix. `POST /oauth/token` has faults only if `only` names it.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct ApiFaults {
    /// A prefix of method and path, such as `PUT /cob/`, or `POST /oauth/token`. Other requests are not affected.
    pub(crate) only: String,
    /// Every request is delayed by this time.
    pub(crate) slow_ms: u64,
    /// The connection is closed after `timeout_ms`, without a response. The request has no effect.
    pub(crate) timeout: FaultTrigger,
    pub(crate) timeout_ms: u64,
    /// The response is `error_status`. The request has no effect.
    pub(crate) error: FaultTrigger,
    pub(crate) error_status: u16,
    /// The response is 429 with a `Retry-After` of `retry_after` seconds. The request has no effect.
    pub(crate) rate_limited: FaultTrigger,
    pub(crate) retry_after: u32,
    /// The response is 401, as for an expired token.
    pub(crate) token_expired: FaultTrigger,
    /// A write takes effect, then the connection is closed without a response.
    pub(crate) drop_after_apply: FaultTrigger,
    /// `GET /cob/{txid}` returns a key of another receiver.
    pub(crate) wrong_chave: FaultTrigger,
    /// A response has `null` for lists without entries, and amounts as numbers.
    pub(crate) loose_json: FaultTrigger,
    /// `GET /cob/{txid}` lists one more Pix, whose amount cannot be read.
    pub(crate) unreadable_pix: FaultTrigger,
    /// A refund ends with `NAO_REALIZADO`.
    pub(crate) devolucao_fails: FaultTrigger,
}

impl Default for ApiFaults {
    fn default() -> Self {
        let never = FaultTrigger::default();
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
            loose_json: never,
            unreadable_pix: never,
            devolucao_fails: never,
        }
    }
}

/// The fault of a request that has no effect.
pub(crate) enum RequestFault {
    CloseConnection { after: Duration },
    Status(u16),
    RateLimited { retry_after: u32 },
    TokenExpired,
}

impl ApiFaults {
    /// Returns the fault of a request. `operation` is the method, a space and the path.
    pub(crate) fn next_request_fault(&mut self, operation: &str) -> Option<RequestFault> {
        if !self.applies_to(operation) {
            None
        } else if self.timeout.fires() {
            Some(RequestFault::CloseConnection { after: Duration::from_millis(self.timeout_ms) })
        } else if self.error.fires() {
            Some(RequestFault::Status(self.error_status))
        } else if self.rate_limited.fires() {
            Some(RequestFault::RateLimited { retry_after: self.retry_after })
        } else if self.token_expired.fires() {
            Some(RequestFault::TokenExpired)
        } else {
            None
        }
    }

    pub(crate) fn delay(&self, operation: &str) -> Duration {
        Duration::from_millis(if self.applies_to(operation) { self.slow_ms } else { 0 })
    }

    /// Returns whether the response of a write is lost.
    pub(crate) fn drops_response(&mut self, operation: &str) -> bool {
        self.applies_to(operation) && !operation.starts_with("GET ") && self.drop_after_apply.fires()
    }

    /// Returns whether a response has loose JSON.
    pub(crate) fn loosens_json(&mut self, operation: &str) -> bool {
        self.applies_to(operation) && self.loose_json.fires()
    }

    fn applies_to(&self, operation: &str) -> bool {
        // A fault of a payment must not hit the token that its request needs.
        if operation == TOKEN_OPERATION {
            self.only == TOKEN_OPERATION
        } else {
            operation.starts_with(&self.only)
        }
    }
}
