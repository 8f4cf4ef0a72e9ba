//! A client that follows the README: it repeats a request without a final response, with the same idempotency key.

mod attempts;

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use anyhow::{bail, ensure};
use guildhall_testkit::http::{HttpClient, Response, text};
use http::Method;
use parking_lot::RwLock;
use serde_json::{Value, json};
use tokio::time::sleep;
use uuid::Uuid;

use crate::{
    journal::Journal,
    outcome::{have_same_outcome, names_operation, response_to_command},
    session_token::SessionToken,
};

/// After this time the client stops repeating a request or polling an operation.
const GIVE_UP_AFTER: Duration = Duration::from_secs(90);

/// The delay before a request is repeated or an operation is polled.
const RETRY_DELAY: Duration = Duration::from_millis(100);

/// A POST that only reads.
const READING_POST: &str = "/guild/invites";

#[derive(Clone)]
pub struct RetryingClient {
    http: HttpClient,
    journal: Option<Arc<Journal>>,
    /// The body of the log-in. The client logs in again when its token has expired.
    log_in: Option<Value>,
    token: Arc<RwLock<Option<SessionToken>>>,
    /// The name of the account in the journal.
    account: Arc<str>,
}

impl RetryingClient {
    /// A client of the server at this address (host:port), without a token and without a journal.
    #[must_use]
    pub fn new(address: &str) -> Self {
        let http = HttpClient::new(address);
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
    /// As [`RetryingClient::send`], and when the two outcomes differ.
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
            have_same_outcome(&first, &second),
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
            response = response_to_command(operation)?;
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
            is_read || !response.is_success() || names_operation(response),
            "lost: {key}: {method} {path} succeeded without an operation_id: {}",
            response.body
        );
        Ok(())
    }

    /// Sends a request that must succeed, and returns the body of the response.
    ///
    /// # Errors
    /// When it is refused, or no final response comes in time.
    pub async fn call(&self, method: Method, path: &str, body: &Value) -> anyhow::Result<Value> {
        let response = self.send(method.clone(), path, body).await?;
        ensure!(response.is_success(), "{method} {path}: {} {}", response.status, response.body);
        Ok(response.body)
    }

    /// Sends a POST once, for a server without idempotency keys. Without a response the effect is unknown, and the result is
    /// `Ok`.
    ///
    /// # Errors
    /// When it is refused.
    pub async fn try_post(&self, path: &str, body: Value) -> anyhow::Result<()> {
        match self.send_once(&Method::POST, path, &body, Uuid::new_v4()).await {
            Ok(response) if !response.is_success() => {
                bail!("POST {path}: {} {}", response.status, response.body)
            }
            Ok(_) | Err(_) => Ok(()),
        }
    }

    /// # Errors
    /// See [`RetryingClient::call`].
    pub async fn get(&self, path: &str) -> anyhow::Result<Value> {
        self.call(Method::GET, path, &Value::Null).await
    }

    /// # Errors
    /// See [`RetryingClient::call`].
    pub async fn post(&self, path: &str, body: Value) -> anyhow::Result<Value> {
        self.call(Method::POST, path, &body).await
    }
}
