//! One client of the apis: it repeats requests, follows accepted ones, and renews its tokens.

use std::{
    collections::VecDeque,
    sync::Arc,
    time::{Duration, Instant},
};

use anyhow::{Context, bail, ensure};
use guildhall_testkit::http::{Response, text};
use serde_json::{Value, json};
use tokio::time::sleep;
use uuid::Uuid;

use super::{
    apis::{ApiAttempt, TwoApis},
    promise::Promise,
    record::Record,
};
use crate::outcome::response_to_command;

/// After this time without a final response, a request counts as lost.
const GIVE_UP_AFTER: Duration = Duration::from_secs(90);

const RETRY_DELAY: Duration = Duration::from_millis(100);

/// The share of attempts whose response the client does not wait for.
const ABANDONED: f64 = 0.2;

/// The longest time that a client waits for such a response. Some of the requests take effect, and others do not arrive.
const ABANDONED_AFTER_MS: u64 = 60;

/// The share of requests with `Prefer: respond-async`.
const ASYNC: f64 = 0.125;

/// The number of lines that a client remembers of its requests and responses.
const STORY_LENGTH: usize = 30;

pub(super) enum Credential {
    None,
    Session { log_in: Value, access_token: String, refresh_token: String },
}

/// A change, which can be repeated with its key.
#[derive(Debug, Clone)]
pub(super) struct KeyedChange {
    pub key: Uuid,
    pub path: &'static str,
    pub body: Value,
}

impl KeyedChange {
    pub(super) fn new(path: &'static str, body: Value) -> Self {
        Self { key: Uuid::new_v4(), path, body }
    }
}

pub(super) struct RecordedClient {
    pub apis: Arc<TwoApis>,
    pub record: Arc<Record>,
    pub credential: Credential,
    started: Instant,
    /// The last requests and responses.
    story: VecDeque<String>,
}

impl RecordedClient {
    pub(super) fn new(apis: &Arc<TwoApis>, record: &Arc<Record>, credential: Credential) -> Self {
        let (apis, record) = (apis.clone(), record.clone());
        Self { apis, record, credential, started: Instant::now(), story: VecDeque::new() }
    }

    pub(super) fn story(&self) -> impl Iterator<Item = &String> {
        self.story.iter()
    }

    /// Sends a change that must succeed until its outcome is known. Returns the result and the operations that the apis
    /// accepted for it.
    ///
    /// # Errors
    /// When it is refused, lost, or not found.
    pub(super) async fn change(
        &mut self,
        change: &KeyedChange,
        promise: &Promise,
    ) -> anyhow::Result<(Value, Vec<Uuid>)> {
        let started = Instant::now();
        let mut accepted = Vec::new();
        loop {
            ensure!(
                started.elapsed() < GIVE_UP_AFTER,
                "lost: {}: {} has no outcome after {GIVE_UP_AFTER:?}",
                change.key,
                change.path
            );
            let abandoned = rand::random_bool(ABANDONED).then(|| rand::random_range(1..=ABANDONED_AFTER_MS));
            let attempt = ApiAttempt {
                key: Some(change.key),
                abandoned_after: abandoned.map(Duration::from_millis),
                is_async: rand::random_bool(ASYNC),
                ..ApiAttempt::post(change.path, &change.body)
            };
            let Some(mut response) = self.attempt(attempt, promise).await? else { continue };
            let operation_id = text(&response.body["operation_id"])
                .with_context(|| format!("wrong: {}: {} {}", change.path, response.status, response.body))?;
            let operation_id: Uuid = operation_id.parse()?;
            accepted.push(operation_id);
            if response.is_pending() {
                if rand::random_bool(0.5) {
                    self.record.count("requests repeated while pending");
                    continue;
                }
                response = self.follow(operation_id, promise).await?;
            }
            ensure!(
                response.is_success(),
                "duplicated: {}: {} {} must succeed, but the response is {} {}",
                change.key,
                change.path,
                change.body,
                response.status,
                response.body
            );
            let result = response.body["result"].clone();
            self.record.add(operation_id, change.key, &result)?;
            return Ok((result, accepted));
        }
    }

    /// Polls an accepted operation until it is completed.
    ///
    /// # Errors
    /// When it is not found, or not completed in time.
    pub(super) async fn follow(&mut self, operation_id: Uuid, promise: &Promise) -> anyhow::Result<Response> {
        let path = format!("/operations/{operation_id}");
        let started = Instant::now();
        loop {
            let found = self.read(&path, promise).await?;
            let response = response_to_command(found)?;
            if !response.is_pending() {
                return Ok(response);
            }
            ensure!(
                started.elapsed() < GIVE_UP_AFTER,
                "lost: {operation_id} was accepted, and is pending after {GIVE_UP_AFTER:?}"
            );
            sleep(RETRY_DELAY).await;
        }
    }

    /// Reads a path until there is a final response.
    ///
    /// # Errors
    /// When there is none in time.
    pub(super) async fn read(&mut self, path: &str, promise: &Promise) -> anyhow::Result<Response> {
        let started = Instant::now();
        loop {
            if let Some(response) = self.attempt(ApiAttempt::get(path), promise).await? {
                return Ok(response);
            }
            ensure!(started.elapsed() < GIVE_UP_AFTER, "hung: GET {path}: only errors for {GIVE_UP_AFTER:?}");
        }
    }

    /// Sends a request once. `None` after a temporary error, and after new tokens: the client may repeat it.
    async fn attempt(
        &mut self,
        attempt: ApiAttempt<'_>,
        promise: &Promise,
    ) -> anyhow::Result<Option<Response>> {
        let token = match &self.credential {
            Credential::None => None,
            Credential::Session { access_token, .. } => Some(access_token.clone()),
        };
        let sent = self.send(ApiAttempt { token: token.as_deref(), ..attempt }).await;
        match sent {
            Ok(response) if response.status == 401 => {
                ensure!(!promise.keeps_tokens, "signed out: an access token is refused: {}", response.body);
                self.renew_tokens().await?;
                Ok(None)
            }
            Ok(response) => Ok(Some(response)),
            Err(_) => {
                sleep(RETRY_DELAY).await;
                Ok(None)
            }
        }
    }

    /// Gets new tokens with the refresh token. After a lost response it repeats that.
    ///
    /// # Errors
    /// When the refresh token is refused.
    pub(super) async fn renew_tokens(&mut self) -> anyhow::Result<()> {
        let Credential::Session { refresh_token, .. } = &self.credential else {
            bail!("signed out: a client without a token");
        };
        let body = json!({ "refresh_token": refresh_token });
        let started = Instant::now();
        loop {
            let abandoned = rand::random_bool(ABANDONED).then(|| rand::random_range(1..=ABANDONED_AFTER_MS));
            let abandoned = abandoned.map(Duration::from_millis);
            let attempt =
                ApiAttempt { abandoned_after: abandoned, ..ApiAttempt::post("/auth/refresh", &body) };
            match self.send(attempt).await {
                Ok(response) if response.status == 200 => return self.keep_tokens(&response),
                Ok(response) => {
                    bail!("signed out: a refresh token is refused: {} {}", response.status, response.body)
                }
                Err(error) => {
                    ensure!(started.elapsed() < GIVE_UP_AFTER, "hung: POST /auth/refresh: {error}");
                    self.record.count("renewals repeated");
                }
            }
            sleep(RETRY_DELAY).await;
        }
    }

    /// # Errors
    /// When the log-in is refused, or there is no response in time.
    pub(super) async fn log_in(&mut self) -> anyhow::Result<()> {
        let Credential::Session { log_in, .. } = &self.credential else {
            bail!("this client has no account")
        };
        let (body, started) = (log_in.clone(), Instant::now());
        loop {
            match self.send(ApiAttempt::post("/auth", &body)).await {
                Ok(response) => return self.keep_tokens(&response),
                Err(error) => ensure!(started.elapsed() < GIVE_UP_AFTER, "hung: POST /auth: {error}"),
            }
            sleep(RETRY_DELAY).await;
        }
    }

    fn keep_tokens(&mut self, response: &Response) -> anyhow::Result<()> {
        let Credential::Session { access_token, refresh_token, .. } = &mut self.credential else {
            bail!("this client has no account");
        };
        let token = |name: &str| {
            let token = response.body[name].as_str();
            token.map(ToOwned::to_owned).with_context(|| format!("wrong: no {name}: {}", response.status))
        };
        (*access_token, *refresh_token) = (token("access_token")?, token("refresh_token")?);
        Ok(())
    }

    /// Sends a request to a random api, and remembers it with its response.
    async fn send(&mut self, attempt: ApiAttempt<'_>) -> Result<Response, String> {
        let api = rand::random_range(0..=1);
        let result = self.apis.send(api, &attempt).await;
        let ApiAttempt { method, path, key, is_async, .. } = &attempt;
        let key = key.map(|key| key.to_string()).unwrap_or_default();
        let outcome = match &result {
            // Responses with tokens are not printed.
            Ok(response) if path.starts_with("/auth") => response.status.to_string(),
            Ok(response) => format!("{} {}", response.status, response.body),
            Err(error) => error.clone(),
        };
        let at = self.started.elapsed().as_secs_f64();
        let wish = if *is_async { " (respond-async)" } else { "" };
        let line = format!("{at:7.3} s  api {}: {method} {path}{wish} {key}: {outcome:.300}", api + 1);
        if self.story.len() == STORY_LENGTH {
            self.story.pop_front();
        }
        self.story.push_back(line);
        self.record.count("attempts");
        result
    }
}
