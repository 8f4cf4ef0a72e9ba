//! A client as the README asks for: what was not answered is sent again, with the same key.

use std::{
    sync::{Arc, PoisonError, RwLock},
    time::{Duration, Instant},
};

use anyhow::{Context, bail, ensure};
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tokio::time::sleep;
use uuid::Uuid;

use crate::journal::{Attempt, Journal};

/// When a client gives up waiting for an answer: more than the site may take.
const ANSWER_WITHIN: Duration = Duration::from_secs(40);

/// When a service that does not come back is given up.
const PATIENCE: Duration = Duration::from_secs(90);

/// A POST that changes nothing.
const READ: &str = "/guild/invites";

/// Between an attempt that failed and the next.
const PAUSE: Duration = Duration::from_millis(100);

#[derive(Clone)]
pub struct Client {
    http: reqwest::Client,
    url: String,
    journal: Option<Arc<Journal>>,
    /// Whoever has logged in does so again when the token has run out.
    log_in: Option<Value>,
    token: Arc<RwLock<Option<String>>>,
    /// In the journal.
    who: Arc<str>,
}

/// What a request came to in the end: a success, or a refusal.
#[derive(Debug)]
pub struct Answer {
    pub status: StatusCode,
    pub body: Value,
}

impl Answer {
    /// Why it was refused; empty when it was not.
    #[must_use]
    pub fn code(&self) -> &str {
        self.body["code"].as_str().unwrap_or_default()
    }

    /// To a request that was sent twice: the same, if both could be waited for.
    fn is_of_the_same_as(&self, other: &Self) -> bool {
        let same = |field: &str| self.body[field] == other.body[field];
        let pending = self.status == StatusCode::ACCEPTED || other.status == StatusCode::ACCEPTED;
        same("operation_id") && (pending || self.status == other.status && same("result") && same("code"))
    }

    pub(crate) fn names_operation(&self) -> bool {
        self.body["operation_id"].is_string()
    }
}

impl Client {
    /// # Errors
    /// When HTTP cannot be set up.
    pub fn new(url: String) -> anyhow::Result<Self> {
        let http = reqwest::Client::builder().no_proxy().timeout(ANSWER_WITHIN).build()?;
        Ok(Self { http, url, journal: None, log_in: None, token: Arc::default(), who: "".into() })
    }

    /// Writes down from now on what it asks and is answered.
    #[must_use]
    pub fn journaled(self, journal: &Arc<Journal>) -> Self {
        Self { journal: Some(journal.clone()), ..self }
    }

    #[must_use]
    pub fn with_token(&self, who: &str, token: String) -> Self {
        Self { token: Arc::new(RwLock::new(Some(token))), who: who.into(), ..self.clone() }
    }

    /// # Errors
    /// When the password is wrong, or nobody answers.
    pub async fn logged_in(&self, name: &str, password: &str) -> anyhow::Result<Self> {
        let log_in = json!({ "login": name, "password": password });
        let client = Self { log_in: Some(log_in), token: Arc::default(), who: name.into(), ..self.clone() };
        client.renew().await?;
        Ok(client)
    }

    async fn renew(&self) -> anyhow::Result<()> {
        // The journal is of operations.
        let nobody = Self { log_in: None, token: Arc::default(), journal: None, ..self.clone() };
        let session = Box::pin(nobody.post("/auth", self.log_in.clone().unwrap_or_default())).await?;
        let token = session["access_token"].as_str().context("no access token")?;
        *self.token.write().unwrap_or_else(PoisonError::into_inner) = Some(token.to_owned());
        Ok(())
    }

    /// Sends until there is an answer other than "not now"; a refusal is an answer, and so is what the site should never say. What
    /// was accepted is not sent again: it must be settled by itself.
    ///
    /// # Errors
    /// When no answer comes, or what was accepted is not settled.
    pub async fn ask(&self, method: Method, path: &str, body: &Value) -> anyhow::Result<Answer> {
        let key = Uuid::new_v4();
        let answer = self.insist(&method, path, body, key).await?;
        self.follow(&method, path, key, answer).await
    }

    /// The same, sent twice at once, as by a finger that is too quick.
    ///
    /// # Errors
    /// Those, and when what was sent twice is answered as if it were two.
    pub async fn ask_twice(&self, method: Method, path: &str, body: &Value) -> anyhow::Result<Answer> {
        let key = Uuid::new_v4();
        if let Some(journal) = &self.journal {
            journal.twice(key);
        }
        let insist = || self.insist(&method, path, body, key);
        let (one, other) = tokio::join!(insist(), insist());
        let (one, other) = (one?, other?);
        ensure!(
            one.is_of_the_same_as(&other),
            "duplicated: {key}: {method} {path}, sent twice, is answered {one:?} and {other:?}"
        );
        let answer = if one.status == StatusCode::ACCEPTED { other } else { one };
        self.follow(&method, path, key, answer).await
    }

    /// Until what was accepted is settled.
    async fn follow(
        &self,
        method: &Method,
        path: &str,
        key: Uuid,
        mut answer: Answer,
    ) -> anyhow::Result<Answer> {
        let began = Instant::now();
        while answer.status == StatusCode::ACCEPTED {
            let operation_id = text(&answer.body["operation_id"])?;
            ensure!(
                began.elapsed() < PATIENCE,
                "lost: {operation_id} was accepted ({method} {path}), and is pending after {PATIENCE:?}"
            );
            sleep(PAUSE).await;
            let state = format!("/operations/{operation_id}");
            answer = settled(self.insist(&Method::GET, &state, &Value::Null, key).await?)?;
        }
        if let Some(journal) = &self.journal {
            journal.settled(key, &answer);
            ensure!(
                *method == Method::GET
                    || path == READ
                    || !answer.status.is_success()
                    || answer.names_operation(),
                "lost: {key}: {method} {path} succeeded, and no operation is named: {}",
                answer.body
            );
        }
        Ok(answer)
    }

    /// # Errors
    /// When no answer comes.
    async fn insist(&self, method: &Method, path: &str, body: &Value, key: Uuid) -> anyhow::Result<Answer> {
        let began = Instant::now();
        loop {
            let why = match self.try_once(method, path, body, key).await {
                Ok(answer) if answer.status == StatusCode::UNAUTHORIZED && self.log_in.is_some() => {
                    self.renew().await?;
                    "401".to_owned()
                }
                Ok(answer) => return Ok(answer),
                Err(why) => why,
            };
            if began.elapsed() > PATIENCE {
                bail!("{method} {path}: nothing but {why} for {PATIENCE:?}");
            }
            sleep(PAUSE).await;
        }
    }

    /// The same for who expects a success; answers its body.
    ///
    /// # Errors
    /// When the answer is a refusal, or none comes.
    pub async fn call(&self, method: Method, path: &str, body: &Value) -> anyhow::Result<Value> {
        let Answer { status, body } = self.ask(method.clone(), path, body).await?;
        ensure!(status.is_success(), "{method} {path}: {status} {body}");
        Ok(body)
    }

    /// Sends once, where sending again would do it again. Without an answer it is not known whether it was done.
    ///
    /// # Errors
    /// When it is refused.
    pub async fn try_post(&self, path: &str, body: Value) -> anyhow::Result<()> {
        match self.try_once(&Method::POST, path, &body, Uuid::new_v4()).await {
            Ok(Answer { status, body }) if !status.is_success() => bail!("POST {path}: {status} {body}"),
            Ok(_) | Err(_) => Ok(()),
        }
    }

    /// # Errors
    /// Tells why there is no answer yet.
    async fn try_once(&self, method: &Method, path: &str, body: &Value, key: Uuid) -> Result<Answer, String> {
        let began = Instant::now();
        if let Some(journal) = &self.journal {
            journal.attempts(key, began);
        }
        let tried = self.exchange(method, path, body, key).await;
        if let Some(journal) = &self.journal {
            let got = match &tried {
                Ok(answer) => Ok(answer.status.as_u16()),
                Err((status, why)) => status.ok_or(why.as_str()),
            };
            let names_operation = tried.as_ref().is_ok_and(Answer::names_operation);
            journal.attempted(&Attempt {
                who: &self.who,
                key,
                method,
                path,
                body,
                began,
                got,
                names_operation,
            });
        }
        tried.map_err(|(_, why)| why)
    }

    async fn exchange(
        &self,
        method: &Method,
        path: &str,
        body: &Value,
        key: Uuid,
    ) -> Result<Answer, (Option<u16>, String)> {
        let mut request = self.http.request(method.clone(), format!("{}{path}", self.url));
        if *method != Method::GET {
            request = request.header("Idempotency-Key", key.to_string());
        }
        if !body.is_null() {
            request = request.json(body);
        }
        let token = self.token.read().unwrap_or_else(PoisonError::into_inner).clone();
        if let Some(token) = token {
            request = request.bearer_auth(token);
        }
        let response = request.send().await.map_err(|error| (None, format!("{error:?}")))?;
        let status = response.status();
        let text = response.text().await.map_err(|error| (None, format!("{error:?}")))?;
        match status {
            // The latter two are said by a proxy that had no answer.
            StatusCode::SERVICE_UNAVAILABLE | StatusCode::BAD_GATEWAY | StatusCode::GATEWAY_TIMEOUT => {
                Err((Some(status.as_u16()), format!("{status}: {text}")))
            }
            _ => Ok(Answer { status, body: serde_json::from_str(&text).unwrap_or(Value::String(text)) }),
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

/// The answer to a command, as its operation's state tells it: accepted for as long as it is pending.
fn settled(state: Answer) -> anyhow::Result<Answer> {
    let Answer { status, body } = state;
    ensure!(status == StatusCode::OK, "lost: an accepted operation is answered {status} {body}");
    match body["status"].as_str() {
        Some("pending") => Ok(Answer { status: StatusCode::ACCEPTED, body }),
        Some("refused") => {
            let mut problem = body["problem"].clone();
            problem["operation_id"] = body["operation_id"].clone();
            let status = problem["status"].as_u64().context("a problem without a status")?;
            Ok(Answer { status: u16::try_from(status)?.try_into()?, body: problem })
        }
        _ => Ok(Answer { status, body }),
    }
}

/// Of a list.
///
/// # Errors
/// When it is something else.
pub(crate) fn items(list: &Value) -> anyhow::Result<&Vec<Value>> {
    list["items"].as_array().with_context(|| format!("wrong: {list} is no list"))
}

/// # Errors
/// When it is something else.
pub(crate) fn text(value: &Value) -> anyhow::Result<&str> {
    value.as_str().with_context(|| format!("{value} is no text"))
}
