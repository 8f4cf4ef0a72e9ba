//! One request as it was sent once, and its result.

use std::time::{Duration, Instant};

use http::Method;
use serde_json::{Value, json};
use uuid::Uuid;

/// The time limit of a successful attempt on a fast machine. While Redis is unavailable, a change takes at least the 2 s of
/// the cache lease.
pub(crate) const SUCCESS_TIME_LIMIT: Duration = Duration::from_secs(3);

/// A request that was sent once, with its result.
pub struct SentRequest<'a> {
    pub account: &'a str,
    pub key: Uuid,
    pub method: &'a Method,
    pub path: &'a str,
    pub body: &'a Value,
    pub started: Instant,
    /// The status of the response, or the error.
    pub status: Result<u16, &'a str>,
    /// Whether the response has an `operation_id`.
    pub names_operation: bool,
}

impl SentRequest<'_> {
    /// The journal's line.
    pub(crate) fn to_line(&self) -> Value {
        json!({
            "account": self.account,
            "key": self.key,
            "request": format!("{} {}", self.method, self.path),
            "body": self.body,
            "status": match self.status {
                Ok(status) => json!(status),
                Err(error) => json!(error),
            },
            "took_ms": self.started.elapsed().as_millis(),
        })
    }

    /// Whether it is a read without a token: everybody gets the same response.
    pub(crate) fn is_public_read(&self) -> bool {
        *self.method == Method::GET && self.account.is_empty()
    }
}

/// The part of an attempt that is kept in memory. Times count from the start of the journal.
#[derive(Debug, Clone, Copy)]
pub struct Attempt {
    pub key: Uuid,
    pub started: Duration,
    pub ended: Duration,
    /// The waiting time that the client requested (`?wait=N`).
    pub requested_wait: Duration,
    pub status: Option<u16>,
    /// Whether it has a final response within the time limit of a success.
    pub is_success: bool,
    /// Whether it is the first attempt of a change that was applied or refused. All parts of the site took part in it.
    pub is_first_change: bool,
}

impl Attempt {
    pub(crate) fn new(
        request: &SentRequest<'_>,
        started: Duration,
        ended: Duration,
        is_first: bool,
        success_time_limit: Duration,
    ) -> Self {
        let requested_wait = requested_wait(request.path);
        let status = request.status.ok();
        let is_final = status.is_some_and(|status| status < 500 && status != 202);
        let is_change = *request.method != Method::GET && request.names_operation && status != Some(202);
        Self {
            key: request.key,
            started,
            ended,
            requested_wait,
            status,
            is_success: ended - started < success_time_limit + requested_wait && is_final,
            is_first_change: is_change && is_first,
        }
    }

    #[must_use]
    pub fn duration(&self) -> Duration {
        self.ended - self.started
    }

    #[must_use]
    pub fn is_server_error(&self) -> bool {
        self.status.is_none_or(|status| status >= 500)
    }
}

/// The seconds in `…?wait=1`.
fn requested_wait(path: &str) -> Duration {
    let seconds = path.split(['?', '&']).find_map(|word| word.strip_prefix("wait="));
    Duration::from_secs(seconds.and_then(|seconds| seconds.parse().ok()).unwrap_or_default())
}
