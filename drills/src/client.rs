//! A client as the README asks for: what was not answered is sent again, with the same key.

use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use reqwest::{Method, StatusCode};
use serde_json::Value;
use tokio::time::sleep;
use uuid::Uuid;

/// A request that is not answered in this time hangs.
const ANSWER_WITHIN: Duration = Duration::from_secs(40);

/// When a service that does not come back is given up.
const PATIENCE: Duration = Duration::from_secs(60);

#[derive(Clone)]
pub struct Client {
    http: reqwest::Client,
    url: String,
    token: Option<String>,
}

impl Client {
    /// # Errors
    /// When HTTP cannot be set up.
    pub fn new(url: String) -> anyhow::Result<Self> {
        let http = reqwest::Client::builder().no_proxy().timeout(ANSWER_WITHIN).build()?;
        Ok(Self { http, url, token: None })
    }

    #[must_use]
    pub fn with_token(&self, token: String) -> Self {
        Self { token: Some(token), ..self.clone() }
    }

    /// Sends until there is an answer other than "not now"; answers its body.
    ///
    /// # Errors
    /// When the answer is no success, or none comes.
    pub async fn call(&self, method: Method, path: &str, body: &Value) -> anyhow::Result<Value> {
        let key = Uuid::new_v4().to_string();
        let began = Instant::now();
        loop {
            let why = match self.try_once(&method, path, body, &key).await {
                Ok(answer) => return Ok(answer),
                Err(Failed::For(error)) => return Err(error.context(format!("{method} {path}"))),
                Err(Failed::Now(why)) => why,
            };
            if began.elapsed() > PATIENCE {
                bail!("{method} {path}: nothing but {why} for {PATIENCE:?}");
            }
            sleep(Duration::from_millis(100)).await;
        }
    }

    /// Sends once, where sending again would do it again. Without an answer it is not known whether it was done.
    ///
    /// # Errors
    /// When the answer is no success.
    pub async fn try_post(&self, path: &str, body: Value) -> anyhow::Result<()> {
        match self.try_once(&Method::POST, path, &body, "once").await {
            Err(Failed::For(error)) => Err(error),
            Ok(_) | Err(Failed::Now(_)) => Ok(()),
        }
    }

    async fn try_once(&self, method: &Method, path: &str, body: &Value, key: &str) -> Result<Value, Failed> {
        let mut request =
            self.http.request(method.clone(), format!("{}{path}", self.url)).header("Idempotency-Key", key);
        if !body.is_null() {
            request = request.json(body);
        }
        if let Some(token) = &self.token {
            request = request.bearer_auth(token);
        }
        let response = request.send().await.map_err(|error| Failed::Now(error.to_string()))?;
        let status = response.status();
        let text = response.text().await.map_err(|error| Failed::Now(error.to_string()))?;
        match status {
            // Accepted and not settled: the same request asks how far it is.
            StatusCode::SERVICE_UNAVAILABLE | StatusCode::ACCEPTED => Err(Failed::Now(text)),
            status if status.is_success() => serde_json::from_str(&text)
                .with_context(|| format!("the answer cannot be read: {text}"))
                .map_err(Failed::For),
            status => Err(Failed::For(anyhow::anyhow!("{status} {text}"))),
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

/// What to do after an attempt that failed.
enum Failed {
    For(anyhow::Error),
    Now(String),
}
