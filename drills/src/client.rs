//! A client that follows the README: it repeats a request without a final response, with the same idempotency key.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use anyhow::{bail, ensure};
use parking_lot::RwLock;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tokio::time::sleep;
use uuid::Uuid;

use crate::{
    http::{self, HttpClient},
    journal::{Journal, SentRequest},
    response::{Response, text},
    session_token::SessionToken,
};

/// After this time the client stops repeating a request or polling an operation.
const GIVE_UP_AFTER: Duration = Duration::from_secs(90);

/// The delay before a request is repeated or an operation is polled.
const RETRY_DELAY: Duration = Duration::from_millis(100);

/// A POST that only reads.
const READING_POST: &str = "/guild/invites";

#[derive(Clone)]
pub struct Client {
    http: Arc<HttpClient>,
    journal: Option<Arc<Journal>>,
    /// The body of the log-in. The client logs in again when its token has expired.
    log_in: Option<Value>,
    token: Arc<RwLock<Option<SessionToken>>>,
    /// The name of the account in the journal.
    account: Arc<str>,
}

impl Client {
    /// A client of the server at this address (host:port), without a token and without a journal.
    #[must_use]
    pub fn new(address: String) -> Self {
        let http = Arc::new(HttpClient::new(address));
        Self { http, journal: None, log_in: None, token: Arc::default(), account: "".into() }
    }

    /// The same client, which writes all requests and responses to the journal.
    #[must_use]
    pub fn with_journal(self, journal: &Arc<Journal>) -> Self {
        Self { journal: Some(journal.clone()), ..self }
    }

    /// The same client, whose requests are not written to the journal.
    #[must_use]
    pub fn without_journal(&self) -> Self {
        Self { journal: None, ..self.clone() }
    }

    #[must_use]
    pub fn with_token(&self, account: &str, token: String) -> Self {
        let token = SessionToken::without_lifetime(token);
        Self { token: Arc::new(RwLock::new(Some(token))), account: account.into(), ..self.clone() }
    }

    /// Logs in. The journal stays the same.
    ///
    /// # Errors
    /// When the log-in is refused or gets no response.
    pub async fn log_in(&self, name: &str, password: &str) -> anyhow::Result<Self> {
        let log_in = json!({ "login": name, "password": password });
        let client =
            Self { log_in: Some(log_in), token: Arc::default(), account: name.into(), ..self.clone() };
        client.renew_token().await?;
        Ok(client)
    }

    async fn renew_token(&self) -> anyhow::Result<()> {
        // Log-ins are not written to the journal.
        let anonymous = Self { log_in: None, token: Arc::default(), journal: None, ..self.clone() };
        let sent = Instant::now();
        let session = Box::pin(anonymous.post("/auth", self.log_in.clone().unwrap_or_default())).await?;
        *self.token.write() = Some(SessionToken::from_session(&session, sent)?);
        Ok(())
    }

    /// Repeats a request until it has a final response: a success, a refusal, or an error that the site should never
    /// return. An accepted request (202) is not sent again; the client polls its operation.
    ///
    /// # Errors
    /// When no final response comes in time.
    pub async fn send(&self, method: Method, path: &str, body: &Value) -> anyhow::Result<Response> {
        let key = Uuid::new_v4();
        let response = self.repeat(&method, path, body, key).await?;
        let response = self.wait_for_outcome(&method, path, key, response).await?;
        self.record_outcome(&method, path, key, &response)?;
        Ok(response)
    }

    /// Sends a request twice at the same time with one idempotency key, as after a double click. Both are followed to their outcomes.
    ///
    /// # Errors
    /// As [`Client::send`], and when the two outcomes differ.
    pub async fn send_twice(&self, method: Method, path: &str, body: &Value) -> anyhow::Result<Response> {
        let key = Uuid::new_v4();
        if let Some(journal) = &self.journal {
            journal.mark_as_sent_twice(key);
        }
        let send = async || {
            let response = self.repeat(&method, path, body, key).await?;
            self.wait_for_outcome(&method, path, key, response).await
        };
        let (first, second) = tokio::join!(send(), send());
        let (first, second) = (first?, second?);
        ensure!(
            first.has_same_outcome(&second),
            "duplicated: {key}: {method} {path} was sent twice with two responses: {first:?} and {second:?}"
        );
        self.record_outcome(&method, path, key, &first)?;
        // A repeated request names the operation of the first one, or an operation of its own.
        if second.body["operation_id"] != first.body["operation_id"] {
            self.record_outcome(&method, path, key, &second)?;
        }
        Ok(first)
    }

    /// Polls the operation of an accepted request until it is completed.
    async fn wait_for_outcome(
        &self,
        method: &Method,
        path: &str,
        key: Uuid,
        mut response: Response,
    ) -> anyhow::Result<Response> {
        let started = Instant::now();
        while response.is_pending() {
            let operation_id = text(&response.body["operation_id"])?;
            ensure!(
                started.elapsed() < GIVE_UP_AFTER,
                "lost: {operation_id} was accepted ({method} {path}), and is pending after {GIVE_UP_AFTER:?}"
            );
            sleep(RETRY_DELAY).await;
            let operation = format!("/operations/{operation_id}");
            let operation = self.repeat(&Method::GET, &operation, &Value::Null, key).await?;
            response = Response::from_operation(operation)?;
        }
        Ok(response)
    }

    /// Writes the outcome of a request to the journal.
    ///
    /// # Errors
    /// When a change succeeded without an operation.
    fn record_outcome(
        &self,
        method: &Method,
        path: &str,
        key: Uuid,
        response: &Response,
    ) -> anyhow::Result<()> {
        let Some(journal) = &self.journal else { return Ok(()) };
        journal.record_outcome(key, response);
        let is_read = *method == Method::GET || path == READING_POST;
        ensure!(
            is_read || !response.status.is_success() || response.names_operation(),
            "lost: {key}: {method} {path} succeeded without an operation_id: {}",
            response.body
        );
        Ok(())
    }

    /// Repeats a request until the response is not a temporary error.
    ///
    /// # Errors
    /// When no such response comes in time.
    async fn repeat(&self, method: &Method, path: &str, body: &Value, key: Uuid) -> anyhow::Result<Response> {
        let started = Instant::now();
        loop {
            let (sent, token) = (Instant::now(), self.token.read().clone());
            let error = match self.send_once(method, path, body, key).await {
                Ok(response) if response.status == StatusCode::UNAUTHORIZED && self.log_in.is_some() => {
                    if let (Some(journal), Some(token)) = (&self.journal, token) {
                        journal.record_refused_token(&token, &self.account, key, sent);
                    }
                    self.renew_token().await?;
                    "401".to_owned()
                }
                Ok(response) => return Ok(response),
                Err(error) => error,
            };
            if started.elapsed() > GIVE_UP_AFTER {
                bail!("{method} {path}: only errors for {GIVE_UP_AFTER:?}, the last is {error}");
            }
            sleep(RETRY_DELAY).await;
        }
    }

    /// Sends a request that must succeed, and returns the body of the response.
    ///
    /// # Errors
    /// When it is refused, or no final response comes in time.
    pub async fn call(&self, method: Method, path: &str, body: &Value) -> anyhow::Result<Value> {
        let Response { status, body } = self.send(method.clone(), path, body).await?;
        ensure!(status.is_success(), "{method} {path}: {status} {body}");
        Ok(body)
    }

    /// Sends a POST once, for a server without idempotency keys. Without a response the effect is unknown, and the result is
    /// `Ok`.
    ///
    /// # Errors
    /// When it is refused.
    pub async fn try_post(&self, path: &str, body: Value) -> anyhow::Result<()> {
        match self.send_once(&Method::POST, path, &body, Uuid::new_v4()).await {
            Ok(Response { status, body }) if !status.is_success() => bail!("POST {path}: {status} {body}"),
            Ok(_) | Err(_) => Ok(()),
        }
    }

    /// # Errors
    /// A description of a temporary error.
    async fn send_once(
        &self,
        method: &Method,
        path: &str,
        body: &Value,
        key: Uuid,
    ) -> Result<Response, String> {
        let started = Instant::now();
        if let Some(journal) = &self.journal {
            journal.record_start(key, started);
        }
        let result = self.exchange(method, path, body, key).await;
        if let Some(journal) = &self.journal {
            let status = match &result {
                Ok(response) => Ok(response.status.as_u16()),
                Err((status, error)) => status.ok_or(error.as_str()),
            };
            let names_operation = result.as_ref().is_ok_and(Response::names_operation);
            let account = &self.account;
            journal.record_end(&SentRequest {
                account,
                key,
                method,
                path,
                body,
                started,
                status,
                names_operation,
            });
        }
        result.map_err(|(_, error)| error)
    }

    async fn exchange(
        &self,
        method: &Method,
        path: &str,
        body: &Value,
        key: Uuid,
    ) -> Result<Response, (Option<u16>, String)> {
        let token = self.token.read().as_ref().map(|token| token.text.clone());
        let key = (*method != Method::GET).then_some(key);
        let exchange = async {
            let request = http::request(method, path, body, token.as_deref(), key)?;
            self.http.send(request).await
        };
        let (status, text) = exchange.await.map_err(|error| (None, format!("{error:#}")))?;
        match status {
            // 502 and 504 come from a proxy that got no response.
            StatusCode::SERVICE_UNAVAILABLE | StatusCode::BAD_GATEWAY | StatusCode::GATEWAY_TIMEOUT => {
                Err((Some(status.as_u16()), format!("{status}: {text}")))
            }
            _ => Ok(Response { status, body: serde_json::from_str(&text).unwrap_or(Value::String(text)) }),
        }
    }

    /// # Errors
    /// See [`Client::call`].
    pub async fn get(&self, path: &str) -> anyhow::Result<Value> {
        self.call(Method::GET, path, &Value::Null).await
    }

    /// # Errors
    /// See [`Client::call`].
    pub async fn post(&self, path: &str, body: Value) -> anyhow::Result<Value> {
        self.call(Method::POST, path, &body).await
    }
}
