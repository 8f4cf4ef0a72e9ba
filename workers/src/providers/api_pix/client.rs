//! The HTTP client of the bank's API: access tokens, time limits, retries, rate limit, circuit breaker.

use std::{fs, time::Duration};

use anyhow::Context;
use governor::{DefaultDirectRateLimiter, Quota, RateLimiter};
use reqwest::{Method, StatusCode};
use serde::de::DeserializeOwned;
use serde_json::Value;
use tokio::time::{sleep, timeout};

use crate::{
    config::PaymentSettings,
    providers::{
        api_pix::{
            access_token::BankAccessTokens,
            circuit_breaker::CircuitBreaker,
            pause::Pause,
            request_error::{RequestError, read_response, retry_after},
        },
        provider_error::{ProviderError, ProviderResult},
    },
};

/// The time limit of one HTTP request.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(5);

/// How long a request may wait for the rate limit.
const RATE_LIMIT_TIMEOUT: Duration = Duration::from_secs(5);

/// Attempts at one request. Each can be repeated: charges and refunds have ids that the site chooses.
const ATTEMPTS: u32 = 3;

/// The longest delay between two attempts. If the bank requires a longer one, a later job sends the request again.
const LONGEST_DELAY: Duration = Duration::from_secs(2);

pub(super) struct Client {
    http: reqwest::Client,
    url: String,
    access_tokens: BankAccessTokens,
    rate_limit: DefaultDirectRateLimiter,
    breaker: CircuitBreaker,
    pause: Pause,
}

impl Client {
    /// None if the settings name no bank.
    ///
    /// # Errors
    /// When the certificate is not valid.
    pub(super) fn new(settings: &PaymentSettings) -> anyhow::Result<Option<Self>> {
        let (Some(url), Some(token_url), Some(client_id), Some(client_secret)) = (
            &settings.pix_url,
            &settings.pix_token_url,
            &settings.pix_client_id,
            &settings.pix_client_secret,
        ) else {
            return Ok(None);
        };
        Ok(Some(Self {
            http: http_client(settings)?,
            url: url.trim_end_matches('/').to_owned(),
            access_tokens: BankAccessTokens::new(token_url.clone(), client_id.clone(), client_secret.clone()),
            rate_limit: RateLimiter::direct(Quota::per_second(settings.pix_requests_per_second)),
            breaker: CircuitBreaker::default(),
            pause: Pause::default(),
        }))
    }

    /// Sends a request and parses the body of the response.
    pub(super) async fn call<T: DeserializeOwned>(
        &self,
        method: Method,
        path: &str,
        body: Option<&Value>,
    ) -> ProviderResult<T> {
        let response = self.send(method, path, body).await?;
        serde_json::from_slice(&response).map_err(|error| {
            ProviderError::Unavailable(format!("its response to {path} cannot be read: {error}"))
        })
    }

    /// Sends a request with retries. Returns the body of the response.
    pub(super) async fn send(
        &self,
        method: Method,
        path: &str,
        body: Option<&Value>,
    ) -> ProviderResult<Vec<u8>> {
        let mut attempt = 1;
        loop {
            let (reason, retry_after) = match self.attempt(&method, path, body).await {
                Ok(response) => return Ok(response),
                Err(RequestError::Final(error)) => return Err(error),
                Err(RequestError::NotSent(reason)) => {
                    return Err(ProviderError::Unavailable(reason.to_owned()));
                }
                Err(
                    RequestError::Rejected { reason, retry_after }
                    | RequestError::Failed { reason, retry_after },
                ) => (reason, retry_after),
            };
            metrics::counter!("guildhall_provider_failures_total", "provider" => "api_pix").increment(1);
            let jitter = Duration::from_millis(rand::random_range(100..=300)) * attempt;
            let delay = retry_after.unwrap_or(jitter);
            if attempt == ATTEMPTS || delay > LONGEST_DELAY {
                return Err(ProviderError::Unavailable(reason));
            }
            tracing::debug!(%method, path, attempt, reason, "bank request failed");
            sleep(delay).await;
            attempt += 1;
        }
    }

    /// Makes one attempt if neither a pause nor the circuit breaker prevents it.
    async fn attempt(
        &self,
        method: &Method,
        path: &str,
        body: Option<&Value>,
    ) -> Result<Vec<u8>, RequestError> {
        let pause = self.pause.remaining();
        if pause > LONGEST_DELAY {
            return Err(RequestError::NotSent("it requires a pause"));
        }
        sleep(pause).await;
        if !self.breaker.allows_request() {
            return Err(RequestError::NotSent("it failed several times in a row; requests are paused"));
        }
        let result = self.attempt_request(method, path, body).await;
        match &result {
            Ok(_) | Err(RequestError::Final(_)) => self.breaker.record_success(),
            Err(RequestError::Failed { .. }) => self.breaker.record_failure(),
            Err(RequestError::Rejected { .. } | RequestError::NotSent(_)) => {}
        }
        result
    }

    async fn attempt_request(
        &self,
        method: &Method,
        path: &str,
        body: Option<&Value>,
    ) -> Result<Vec<u8>, RequestError> {
        if timeout(RATE_LIMIT_TIMEOUT, self.rate_limit.until_ready()).await.is_err() {
            return Err(RequestError::NotSent("too many requests wait for the rate limit"));
        }
        let token = self.access_tokens.get(&self.http).await?;
        let mut request =
            self.http.request(method.clone(), format!("{}{path}", self.url)).bearer_auth(token.text());
        if let Some(body) = body {
            request = request.json(body);
        }
        let response = request.send().await?;
        if response.status() == StatusCode::UNAUTHORIZED {
            self.access_tokens.discard(&token).await;
        }
        if matches!(response.status(), StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE)
            && let Some(duration) = retry_after(&response)
        {
            self.pause.require(duration);
        }
        read_response(response).await
    }
}

fn http_client(settings: &PaymentSettings) -> anyhow::Result<reqwest::Client> {
    // Redirects are not followed: another server must not receive orders to move money.
    let mut http =
        reqwest::Client::builder().timeout(REQUEST_TIMEOUT).redirect(reqwest::redirect::Policy::none());
    if let Some(path) = &settings.pix_certificate {
        let pem = fs::read(path).with_context(|| format!("GUILDHALL_PIX_CERTIFICATE: {}", path.display()))?;
        let identity = reqwest::Identity::from_pem(&pem)
            .context("GUILDHALL_PIX_CERTIFICATE is no PEM file with a certificate and its key")?;
        http = http.identity(identity);
    }
    http.build().context("the HTTP client for the bank cannot be built")
}
