//! The two apis of the site. Each attempt goes to a random one, as through a proxy.

use std::time::Duration;

use reqwest::{Method, StatusCode, header::HeaderValue};
use serde_json::Value;
use tokio::time::timeout;
use uuid::Uuid;

use crate::{
    http::{self, HttpClient},
    response::Response,
    stack::Stack,
};

pub(super) struct Apis(pub [HttpClient; 2]);

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
        let api = |setting| anyhow::Ok(HttpClient::new(Stack::setting(setting)?));
        Ok(Self([api("GUILDHALL_API_LISTEN")?, api("DRILL_OTHER_API")?]))
    }

    /// Sends the request to one of the apis.
    ///
    /// # Errors
    /// A description of a temporary error: the client may repeat the request.
    pub(super) async fn send(&self, api: usize, attempt: &Attempt<'_>) -> Result<Response, String> {
        let exchange = async {
            let Attempt { method, path, body, token, key, .. } = attempt;
            let mut request = http::request(method, path, body, *token, *key)?;
            if attempt.is_async {
                request.headers_mut().insert("Prefer", HeaderValue::from_static("respond-async"));
            }
            timeout(attempt.abandoned_after.unwrap_or(Duration::MAX), self.0[api].send(request)).await?
        };
        let (status, text) = exchange.await.map_err(|error| format!("{error:#}"))?;
        if status == StatusCode::SERVICE_UNAVAILABLE {
            return Err(format!("{status}: {text}"));
        }
        Ok(Response { status, body: serde_json::from_str(&text).unwrap_or(Value::String(text)) })
    }
}
