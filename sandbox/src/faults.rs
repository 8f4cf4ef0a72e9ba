//! Fault injection: the settings of `PUT /sandbox/faults`. `docs/SANDBOX.md` describes each fault.

use std::time::Duration;

use serde::{Deserialize, Serialize};

/// The request for an access token.
pub(crate) const TOKEN_OPERATION: &str = "POST /oauth/token";

/// The trigger of a fault: `2` means the next two times, `{"probability": 0.5}` means a random half of the
/// time.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(untagged, deny_unknown_fields, expecting = "a count, or an object with a probability")]
pub(crate) enum FaultTrigger {
    Count(u32),
    Probability { probability: f64 },
}

impl Default for FaultTrigger {
    fn default() -> Self {
        Self::Count(0)
    }
}

impl FaultTrigger {
    /// Returns whether the fault occurs now. A count goes down by one.
    pub(crate) fn fires(&mut self) -> bool {
        match self {
            Self::Count(0) => false,
            Self::Count(left) => {
                *left -= 1;
                true
            }
            Self::Probability { probability } => rand::random::<f64>() < *probability,
        }
    }
}

/// All faults.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct FaultSettings {
    pub(crate) notifications: NotificationFaults,
    pub(crate) api: ApiFaults,
    pub(crate) mails: MailFaults,
}

/// Faults of notifications. One notification is one POST, with one or more payments.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct NotificationFaults {
    /// The notification is never sent.
    pub(crate) drop: FaultTrigger,
    /// The notification is sent `duplicate_times` times in parallel.
    pub(crate) duplicate: FaultTrigger,
    pub(crate) duplicate_times: u32,
    /// The notification is sent after the next one, or after `--reorder-ms`.
    pub(crate) reorder: FaultTrigger,
    /// Every notification is delayed by this time.
    pub(crate) delay_ms: u64,
    /// `PUT /cob` pays its own charge and notifies. Its response follows after `before_created_ms`.
    pub(crate) before_created: FaultTrigger,
    pub(crate) before_created_ms: u64,
    /// The notification names a key of another receiver.
    pub(crate) foreign_key: FaultTrigger,
    /// The notification names a txid that does not exist.
    pub(crate) unknown_txid: FaultTrigger,
    /// Every value in the query of the webhook's URL is wrong.
    pub(crate) bad_secret: FaultTrigger,
    /// The second half of the body is missing.
    pub(crate) truncated: FaultTrigger,
}

impl Default for NotificationFaults {
    fn default() -> Self {
        let never = FaultTrigger::default();
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

/// The faults of one notification.
pub(crate) struct DeliveryPlan {
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
    pub(crate) fn plan_delivery(&mut self) -> DeliveryPlan {
        DeliveryPlan {
            drop: self.drop.fires(),
            copies: if self.duplicate.fires() { self.duplicate_times } else { 1 },
            after_next: self.reorder.fires(),
            delay: Duration::from_millis(self.delay_ms),
            foreign_key: self.foreign_key.fires(),
            unknown_txid: self.unknown_txid.fires(),
            bad_secret: self.bad_secret.fires(),
            truncated: self.truncated.fires(),
        }
    }
}

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

/// A step of an SMTP session.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum SmtpStep {
    Connect,
    Helo,
    Mail,
    Rcpt,
    Data,
    #[default]
    EndOfData,
}

/// The steps at which a mail server refuses a mail.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum RefusalStep {
    #[default]
    Rcpt,
    EndOfData,
}

/// Faults of the mail catcher.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct MailFaults {
    /// The response at `refuse_at` is 451. The mail is not stored.
    pub(crate) refuse_temporarily: FaultTrigger,
    /// The response at `refuse_at` is 550. The mail is not stored.
    pub(crate) refuse_permanently: FaultTrigger,
    pub(crate) refuse_at: RefusalStep,
    /// The server sends nothing for `stall_ms` when a session reaches `stall_at`.
    pub(crate) stall: FaultTrigger,
    pub(crate) stall_at: SmtpStep,
    pub(crate) stall_ms: u64,
    /// The mail is stored, then the connection is closed without a response.
    pub(crate) drop_after_data: FaultTrigger,
}

impl Default for MailFaults {
    fn default() -> Self {
        let never = FaultTrigger::default();
        Self {
            refuse_temporarily: never,
            refuse_permanently: never,
            refuse_at: RefusalStep::default(),
            stall: never,
            stall_at: SmtpStep::default(),
            stall_ms: 30_000,
            drop_after_data: never,
        }
    }
}

impl MailFaults {
    /// Returns how long the server sends nothing at this step.
    pub(crate) fn stall_time(&mut self, step: SmtpStep) -> Option<Duration> {
        let stalls = self.stall_at == step && self.stall.fires();
        stalls.then(|| Duration::from_millis(self.stall_ms))
    }

    /// Returns the response that refuses a mail at this step.
    pub(crate) fn refusal(&mut self, step: RefusalStep) -> Option<&'static str> {
        if self.refuse_at != step {
            None
        } else if self.refuse_temporarily.fires() {
            Some("451 4.3.0 The fault settings of the sandbox cause this error. Try again later.")
        } else if self.refuse_permanently.fires() {
            Some("550 5.7.1 The fault settings of the sandbox cause this error. Do not try again.")
        } else {
            None
        }
    }
}
