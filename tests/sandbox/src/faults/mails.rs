//! Faults of the mail catcher.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::trigger::FaultTrigger;

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
