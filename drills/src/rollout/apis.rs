//! The two apis of the site. Each attempt goes to a random one, as through a proxy.

use std::time::Duration;

use reqwest::{Method, StatusCode};
use serde_json::Value;
use uuid::Uuid;

use crate::{response::Response, stack::Stack};

/// The client's time limit for a response: more than the site may take.
const RESPONSE_TIMEOUT: Duration = Duration::from_secs(40);

pub(super) struct Apis {
    http: reqwest::Client,
    pub urls: [String; 2],
}

/// One request as it is sent once.
pub(super) struct Attempt<'a> {
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

impl<'a> Attempt<'a> {
    pub(super) fn get(path: &'a str) -> Self {
        Self { method: Method::GET, ..Self::post(path, &Value::Null) }
    }

    pub(super) fn post(path: &'a str, body: &'a Value) -> Self {
        let method = Method::POST;
        Self { method, path, body, key: None, token: None, abandoned_after: None, is_async: false }
    }
}

impl Apis {
    /// # Errors
    /// When `./dev drill` did not start this process.
    pub(super) fn from_environment() -> anyhow::Result<Self> {
        let url = |setting| anyhow::Ok(format!("http://{}", Stack::setting(setting)?));
        // A connection that an api closes while it stops would fail with the next request. That is a temporary error too.
        let http = reqwest::Client::builder().no_proxy().timeout(RESPONSE_TIMEOUT).build()?;
        Ok(Self { http, urls: [url("GUILDHALL_API_LISTEN")?, url("DRILL_OTHER_API")?] })
    }

    /// Sends the request to one of the apis.
    ///
    /// # Errors
    /// A description of a temporary error: the client may repeat the request.
    pub(super) async fn send(&self, url: &str, attempt: &Attempt<'_>) -> Result<Response, String> {
        let mut request = self.http.request(attempt.method.clone(), format!("{url}{}", attempt.path));
        if let Some(key) = attempt.key {
            request = request.header("Idempotency-Key", key.to_string());
        }
        if let Some(token) = attempt.token {
            request = request.bearer_auth(token);
        }
        if !attempt.body.is_null() {
            request = request.json(attempt.body);
        }
        if attempt.is_async {
            request = request.header("Prefer", "respond-async");
        }
        if let Some(timeout) = attempt.abandoned_after {
            request = request.timeout(timeout);
        }
        let response = request.send().await.map_err(|error| format!("{error:?}"))?;
        let status = response.status();
        let text = response.text().await.map_err(|error| format!("{error:?}"))?;
        if status == StatusCode::SERVICE_UNAVAILABLE {
            return Err(format!("{status}: {text}"));
        }
        Ok(Response { status, body: serde_json::from_str(&text).unwrap_or(Value::String(text)) })
    }
}
