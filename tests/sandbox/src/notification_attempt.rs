//! The record of a notification attempt.

use chrono::{DateTime, Utc};
use reqwest::StatusCode;
use serde::Serialize;

use crate::bank::now;

/// One attempt to send a notification, as `GET /sandbox/notifications` lists it.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct NotificationAttempt {
    at: DateTime<Utc>,
    url: String,
    body: String,
    attempt: u32,
    status: Option<u16>,
    error: Option<String>,
}

impl NotificationAttempt {
    pub(crate) fn new(url: &str, body: &str, attempt: u32, result: Result<StatusCode, String>) -> Self {
        Self {
            at: now(),
            url: url.to_owned(),
            body: body.to_owned(),
            attempt,
            status: result.as_ref().ok().map(StatusCode::as_u16),
            error: result.err(),
        }
    }
}
