//! The attempts of one request, each with its line in the journal.

use std::time::Instant;

use anyhow::bail;
use guildhall_testkit::http::Response;
use http::Method;
use serde_json::Value;
use tokio::time::sleep;
use uuid::Uuid;

use super::{GIVE_UP_AFTER, RETRY_DELAY, RetryingClient};
use crate::{journal::SentRequest, outcome::names_operation};

impl RetryingClient {
    /// Repeats a request until the response is not a temporary error.
    ///
    /// # Errors
    /// When no such response comes in time.
    pub(super) async fn repeat(
        &self,
        method: &Method,
        path: &str,
        body: &Value,
        key: Uuid,
    ) -> anyhow::Result<Response> {
        let started = Instant::now();
        loop {
            let (sent, token) = (Instant::now(), self.token.read().clone());
            let error = match self.send_once(method, path, body, key).await {
                Ok(response) if response.status == 401 && self.log_in.is_some() => {
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

    /// # Errors
    /// A description of a temporary error.
    pub(super) async fn send_once(
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
                Ok(response) => Ok(response.status),
                Err((status, error)) => status.ok_or(error.as_str()),
            };
            let names_operation = result.as_ref().is_ok_and(names_operation);
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
        let request = self.http.request_with(method.clone(), path, body);
        let request = request.bearer_auth(token.as_deref()).idempotency_key(key);
        let response = request.send().await.map_err(|error| (None, format!("{error:#}")))?;
        match response.status {
            // 502 and 504 come from a proxy that got no response.
            502..=504 => Err((Some(response.status), format!("{}: {}", response.status, response.text()))),
            _ => Ok(response.into()),
        }
    }
}
