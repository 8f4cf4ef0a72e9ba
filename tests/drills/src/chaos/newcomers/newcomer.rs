//! A newcomer, as all steps of its life see it.

use std::time::Duration;

use serde_json::{Value, json};

use crate::client::RetryingClient;

/// The time limit of a deletion whose grace period has ended: the lease of a job whose worker died, and its later attempts.
pub(super) const DELETION_TIME_LIMIT: Duration = Duration::from_secs(150);

/// The delay before the state of an account is read again.
pub(super) const POLL_INTERVAL: Duration = Duration::from_millis(200);

pub(super) struct Newcomer {
    pub(super) account_id: i64,
    pub(super) name: String,
    pub(super) email: String,
    pub(super) password: &'static str,
    /// The name of the character and of the guild.
    pub(super) title: String,
    /// Without a journal: the outcomes of a deleted account are erased.
    pub(super) client: RetryingClient,
}

impl Newcomer {
    pub(super) fn password_log_in(&self) -> Value {
        json!({ "login": self.name, "password": self.password })
    }
}
