//! The way to the bank's API: access tokens, time limits, retries, rate limit, circuit breaker.

use std::{
    fs,
    time::{Duration, Instant},
};

use anyhow::Context;
use governor::{DefaultDirectRateLimiter, Quota, RateLimiter};
use reqwest::{Method, Response, StatusCode, header::RETRY_AFTER};
use secrecy::{ExposeSecret, SecretString};
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::Value;
use tokio::{
    sync::Mutex,
    time::{sleep, timeout},
};

use crate::{
    config::PaymentSettings,
    providers::{
        Asked, ProviderError,
        api_pix::{breaker::Breaker, model},
    },
};

const SCOPES: &str = "cob.read cob.write pix.read pix.write webhook.read webhook.write";

/// How long one request may take.
const ANSWER_WITHIN: Duration = Duration::from_secs(5);

/// How long a request may wait for its turn under the rate limit.
const TURN_WITHIN: Duration = Duration::from_secs(5);

/// Attempts at one request. Each is safe to repeat: what it makes has an id of ours.
const ATTEMPTS: u32 = 3;

/// The longest pause between two attempts; whoever asks for more is asked again by a later job.
const LONGEST_PAUSE: Duration = Duration::from_secs(2);

/// A token is not used in the last seconds of its life.
const MARGIN: Duration = Duration::from_secs(10);

pub(super) struct Client {
    http: reqwest::Client,
    url: String,
    token_url: String,
    client_id: String,
    client_secret: SecretString,
    token: Mutex<Option<Token>>,
    limit: DefaultDirectRateLimiter,
    breaker: Breaker,
}

#[derive(Clone)]
struct Token {
    text: SecretString,
    good_until: Instant,
}

/// What RFC 6749, 5.1, answers.
#[derive(Deserialize)]
struct Granted {
    access_token: String,
    #[serde(default = "five_minutes")]
    expires_in: u64,
}

fn five_minutes() -> u64 {
    300
}

/// What to do after an attempt that failed.
enum Failed {
    /// Nothing more: the bank has answered.
    For(ProviderError),
    /// Try again, after the pause that the bank asked for. It answered, and is not in trouble.
    Now { why: String, pause: Option<Duration> },
    /// Try again: the bank is in trouble.
    Trouble { why: String, pause: Option<Duration> },
    /// Nothing more for now: the bank was not even asked.
    Unasked(&'static str),
}

impl Client {
    /// None when no bank is set.
    ///
    /// # Errors
    /// When the certificate cannot be used.
    pub(super) fn new(settings: &PaymentSettings) -> anyhow::Result<Option<Self>> {
        let (Some(url), Some(token_url), Some(client_id), Some(client_secret)) = (
            &settings.pix_url,
            &settings.pix_token_url,
            &settings.pix_client_id,
            &settings.pix_client_secret,
        ) else {
            return Ok(None);
        };
        // Whoever moves money does not follow where a redirect leads.
        let mut http =
            reqwest::Client::builder().timeout(ANSWER_WITHIN).redirect(reqwest::redirect::Policy::none());
        if let Some(path) = &settings.pix_certificate {
            let pem =
                fs::read(path).with_context(|| format!("GUILDHALL_PIX_CERTIFICATE: {}", path.display()))?;
            let identity = reqwest::Identity::from_pem(&pem)
                .context("GUILDHALL_PIX_CERTIFICATE is no PEM file with a certificate and its key")?;
            http = http.identity(identity);
        }
        Ok(Some(Self {
            http: http.build().context("the way to the bank cannot be set up")?,
            url: url.trim_end_matches('/').to_owned(),
            token_url: token_url.clone(),
            client_id: client_id.clone(),
            client_secret: client_secret.clone(),
            token: Mutex::default(),
            limit: RateLimiter::direct(Quota::per_second(settings.pix_requests_per_second)),
            breaker: Breaker::default(),
        }))
    }

    /// Asks, and reads the answer.
    pub(super) async fn call<T: DeserializeOwned>(
        &self,
        method: Method,
        path: &str,
        body: Option<&Value>,
    ) -> Asked<T> {
        let answer = self.ask(method, path, body).await?;
        serde_json::from_slice(&answer)
            .map_err(|error| ProviderError::Away(format!("its answer to {path} cannot be read: {error}")))
    }

    /// Asks for something that is answered by its status alone.
    pub(super) async fn call_for_nothing(
        &self,
        method: Method,
        path: &str,
        body: Option<&Value>,
    ) -> Asked<()> {
        self.ask(method, path, body).await.map(|_| ())
    }

    async fn ask(&self, method: Method, path: &str, body: Option<&Value>) -> Asked<Vec<u8>> {
        let mut attempt = 1;
        loop {
            if !self.breaker.lets_through() {
                return Err(ProviderError::Away(
                    "it has failed too often; it is left alone for a while".to_owned(),
                ));
            }
            let (why, pause) = match self.attempt(&method, path, body).await {
                Ok(answer) => {
                    self.breaker.succeeded();
                    return Ok(answer);
                }
                Err(Failed::For(error)) => {
                    self.breaker.succeeded();
                    return Err(error);
                }
                Err(Failed::Unasked(why)) => return Err(ProviderError::Away(why.to_owned())),
                Err(Failed::Now { why, pause }) => (why, pause),
                Err(Failed::Trouble { why, pause }) => {
                    self.breaker.failed();
                    (why, pause)
                }
            };
            metrics::counter!("guildhall_provider_failures_total", "provider" => "api_pix").increment(1);
            let jitter = Duration::from_millis(rand::random_range(100..=300)) * attempt;
            let pause = pause.unwrap_or(jitter);
            if attempt == ATTEMPTS || pause > LONGEST_PAUSE {
                return Err(ProviderError::Away(why));
            }
            tracing::debug!(%method, path, attempt, why, "the bank failed");
            sleep(pause).await;
            attempt += 1;
        }
    }

    async fn attempt(&self, method: &Method, path: &str, body: Option<&Value>) -> Result<Vec<u8>, Failed> {
        if timeout(TURN_WITHIN, self.limit.until_ready()).await.is_err() {
            return Err(Failed::Unasked("too many requests wait for their turn"));
        }
        let token = self.token().await?;
        let mut request = self
            .http
            .request(method.clone(), format!("{}{path}", self.url))
            .bearer_auth(token.text.expose_secret());
        if let Some(body) = body {
            request = request.json(body);
        }
        let response = request.send().await.map_err(broken)?;
        if response.status() == StatusCode::UNAUTHORIZED {
            // Unless somebody has fetched another meanwhile.
            self.token.lock().await.take_if(|kept| kept.text.expose_secret() == token.text.expose_secret());
        }
        answer(response).await
    }

    /// The access token, fetched when there is none that is good; by one task for all.
    async fn token(&self) -> Result<Token, Failed> {
        let Ok(mut kept) = timeout(TURN_WITHIN, self.token.lock()).await else {
            return Err(Failed::Unasked("too many requests wait for an access token"));
        };
        if let Some(token) = kept.as_ref().filter(|token| Instant::now() < token.good_until) {
            return Ok(token.clone());
        }
        let request = self
            .http
            .post(&self.token_url)
            .basic_auth(&self.client_id, Some(self.client_secret.expose_secret()))
            .form(&[("grant_type", "client_credentials"), ("scope", SCOPES)]);
        let response = request.send().await.map_err(broken)?;
        let granted: Granted = serde_json::from_slice(&answer(response).await?).map_err(|error| {
            Failed::Trouble { why: format!("its token cannot be read: {error}"), pause: None }
        })?;
        let good_for = Duration::from_secs(granted.expires_in).saturating_sub(MARGIN);
        let token = Token { text: granted.access_token.into(), good_until: Instant::now() + good_for };
        *kept = Some(token.clone());
        Ok(token)
    }
}

/// The body of a success; of anything else, whether trying again may help.
async fn answer(response: Response) -> Result<Vec<u8>, Failed> {
    let status = response.status();
    let pause = response.headers().get(RETRY_AFTER).and_then(|value| value.to_str().ok()?.parse().ok());
    let body = response.bytes().await.map_err(broken)?;
    if status.is_success() {
        return Ok(body.into());
    }
    let problem: model::Problem = serde_json::from_slice(&body).unwrap_or_default();
    let why = format!("{status} {} {}", problem.title, problem.detail);
    Err(match status {
        StatusCode::NOT_FOUND => Failed::For(ProviderError::NotFound),
        // A bank that refuses us refuses no single payment: somebody has to mend the settings.
        StatusCode::UNAUTHORIZED
        | StatusCode::FORBIDDEN
        | StatusCode::REQUEST_TIMEOUT
        | StatusCode::LOCKED
        | StatusCode::TOO_EARLY
        | StatusCode::TOO_MANY_REQUESTS => Failed::Now { why, pause: pause.map(Duration::from_secs) },
        status if status.is_client_error() => Failed::For(ProviderError::Refused(why)),
        _ => Failed::Trouble { why, pause: pause.map(Duration::from_secs) },
    })
}

fn broken(error: reqwest::Error) -> Failed {
    Failed::Trouble { why: format!("{:#}", anyhow::Error::new(error)), pause: None }
}
