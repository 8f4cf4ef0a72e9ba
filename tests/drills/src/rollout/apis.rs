//! The two apis of the site. Each attempt goes to a random one, as through a proxy.

use std::time::Duration;

use guildhall_testkit::{
    environment::setting,
    http::{HttpClient, Response},
};
use http::Method;
use serde_json::Value;
use tokio::time::timeout;
use uuid::Uuid;

pub(super) struct TwoApis(pub [HttpClient; 2]);

/// One request as it is sent once.
pub(super) struct ApiAttempt<'a> {
    pub method: Method,
    pub path: &'a str,
    pub body: &'a Value,
    pub key: Option<Uuid>,
    pub token: Option<&'a str>,
    /// The client gives up after this time and does not learn the outcome.
    pub abandoned_after: Option<Duration>,
    /// Whether the client wants status 202 immediately.
    pub is_async: bool,
}

impl<'a> ApiAttempt<'a> {
    pub(super) fn get(path: &'a str) -> Self {
        Self { method: Method::GET, ..Self::post(path, &Value::Null) }
    }

    pub(super) fn post(path: &'a str, body: &'a Value) -> Self {
        let method = Method::POST;
        Self { method, path, body, key: None, token: None, abandoned_after: None, is_async: false }
    }
}

impl TwoApis {
    /// # Errors
    /// When `./dev drill` did not start this process.
    pub(super) fn from_environment() -> anyhow::Result<Self> {
        let api = |name| anyhow::Ok(HttpClient::new(&setting(name)?));
        Ok(Self([api("GUILDHALL_API_LISTEN")?, api("DRILL_OTHER_API")?]))
    }

    /// Sends the request to one of the apis.
    ///
    /// # Errors
    /// A description of a temporary error: the client may repeat the request.
    pub(super) async fn send(&self, api: usize, attempt: &ApiAttempt<'_>) -> Result<Response, String> {
        let ApiAttempt { method, path, body, token, key, .. } = attempt;
        let request = self.0[api].request_with(method.clone(), path, body);
        let mut request = request.bearer_auth(*token).idempotency_key(*key);
        if attempt.is_async {
            request = request.header("Prefer", "respond-async");
        }
        let sent = timeout(attempt.abandoned_after.unwrap_or(Duration::MAX), request.send()).await;
        let response = sent.map_err(anyhow::Error::from).flatten().map_err(|error| format!("{error:#}"))?;
        if response.status == 503 {
            return Err(format!("503: {}", response.text()));
        }
        Ok(response.into())
    }
}
