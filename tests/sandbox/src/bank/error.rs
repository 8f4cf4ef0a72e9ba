//! Errors of the bank.

use std::io;

/// The reason why the bank did not make a change.
#[derive(Debug)]
pub(crate) enum BankError {
    /// The record does not exist.
    NotFound,
    /// A rule forbids the change: the reason, and the property that violates the rule.
    RuleViolated { property: &'static str, reason: String },
    /// The append-only log could not be written. Nothing has changed.
    LogWriteFailed(io::Error),
}

impl BankError {
    pub(super) fn rule_violated(property: &'static str, reason: impl Into<String>) -> Self {
        Self::RuleViolated { property, reason: reason.into() }
    }
}
