//! The site, and what must hold of everything it answers.

use std::{
    net::SocketAddr,
    sync::{Mutex, PoisonError},
    time::Duration,
};

use anyhow::Context;
use reqwest::Method;
use serde_json::{Value, json};

use super::connection::{Answer, Connection, Got, HANGS_AFTER};
use crate::stack::Stack;

/// What a server may say to what it could not read: nothing, or a status without a body.
pub(super) const UNREAD: &[u16] = &[0, 400, 414, 431];

/// The most that are told of.
const TOLD: usize = 40;

pub(super) struct Site {
    pub(super) stack: Stack,
    pub(super) address: SocketAddr,
    pub(super) url: String,
    pub(super) http: reqwest::Client,
    findings: Mutex<Findings>,
}

#[derive(Default)]
struct Findings {
    checked: usize,
    broken: Vec<String>,
}

/// A request as it is sent.
pub(super) fn request(line: &str, headers: &[(&str, &str)], body: &[u8]) -> Vec<u8> {
    let mut bytes = format!("{line} HTTP/1.1\r\nHost: drill\r\n").into_bytes();
    for (name, value) in headers {
        bytes.extend_from_slice(format!("{name}: {value}\r\n").as_bytes());
    }
    if !body.is_empty() {
        bytes.extend_from_slice(format!("Content-Length: {}\r\n", body.len()).as_bytes());
    }
    bytes.extend_from_slice(b"\r\n");
    bytes.extend_from_slice(body);
    bytes
}

impl Site {
    /// # Errors
    /// When this was not started by `./dev drill`.
    pub(super) fn of_environment() -> anyhow::Result<Self> {
        let address = Stack::setting("GUILDHALL_API_LISTEN")?;
        let http = reqwest::Client::builder()
            .no_proxy()
            .pool_max_idle_per_host(0)
            .timeout(Duration::from_secs(70))
            .build()?;
        let url = format!("http://{address}");
        let stack = Stack::from_environment()?;
        Ok(Self { stack, address: address.parse()?, url, http, findings: Mutex::default() })
    }

    /// A new access token of somebody whom `./dev drill` has made.
    ///
    /// # Errors
    /// When the log-in is refused.
    pub(super) async fn token(&self, who: &str) -> anyhow::Result<String> {
        let (name, secret) = Stack::credential(who)?;
        if who == "game" {
            return Ok(secret);
        }
        let (status, session) =
            self.ask("", Method::POST, "/auth", &json!({ "login": name, "password": secret })).await?;
        let token = session["access_token"].as_str();
        Ok(token.with_context(|| format!("{who} cannot log in: {status}"))?.to_owned())
    }

    /// Asks as a program would; an empty token is nobody's.
    ///
    /// # Errors
    /// When there is no answer.
    pub(super) async fn ask(
        &self,
        token: &str,
        method: Method,
        path: &str,
        body: &Value,
    ) -> anyhow::Result<(u16, Value)> {
        let what = format!("{method} {path}");
        let mut request = self.http.request(method, format!("{}{path}", self.url));
        if !token.is_empty() {
            request = request.bearer_auth(token);
        }
        if !body.is_null() {
            request = request.json(body);
        }
        let answer = request.send().await.with_context(|| what.clone())?;
        let status = answer.status().as_u16();
        // Where there is a limit, whoever is beyond it is told when to come back.
        let later = status == 503 && answer.headers().contains_key("retry-after");
        let text = answer.text().await.with_context(|| what.clone())?;
        self.expect(status < 500 || later, || format!("{what} with {body:.200}: {status} {text}"));
        Ok((status, serde_json::from_str(&text).unwrap_or(Value::String(text))))
    }

    /// Sends this on a connection of its own, and wants one of these statuses; 0 is an end without an answer.
    pub(super) async fn throw(&self, what: &str, bytes: &[u8], wanted: &[u16]) {
        let got = match Connection::open(self.address).await {
            Ok(mut connection) => connection.exchange(bytes, HANGS_AFTER).await,
            Err(_) => Got::Closed,
        };
        self.judge(what, &got, wanted);
    }

    /// Whether an answer is one of those that are wanted, and in the right form.
    pub(super) fn judge(&self, what: &str, got: &Got, wanted: &[u16]) {
        let status = match got {
            Got::Answer(answer) => answer.status,
            Got::Closed => 0,
            Got::Hung => return self.expect(false, || format!("{what}: no answer in {HANGS_AFTER:?}")),
        };
        self.expect(wanted.contains(&status), || format!("{what}: {status}, and not one of {wanted:?}"));
        if let Got::Answer(answer) = got {
            self.expect(is_in_form(answer), || format!("{what}: {answer:?}"));
        }
    }

    pub(super) fn expect(&self, holds: bool, what: impl FnOnce() -> String) {
        let mut findings = self.findings.lock().unwrap_or_else(PoisonError::into_inner);
        findings.checked += 1;
        if !holds {
            findings.broken.push(what());
        }
    }

    /// How many promises were looked at so far.
    pub(super) fn checked(&self) -> usize {
        self.findings.lock().unwrap_or_else(PoisonError::into_inner).checked
    }

    /// # Errors
    /// When a promise was broken; prints them.
    pub(super) fn conclude(&self) -> anyhow::Result<()> {
        let findings = self.findings.lock().unwrap_or_else(PoisonError::into_inner);
        for broken in findings.broken.iter().take(TOLD) {
            println!("BROKEN  {}", broken.chars().take(600).collect::<String>());
        }
        anyhow::ensure!(findings.broken.is_empty(), "{} promises were broken", findings.broken.len());
        println!("none of {} promises was broken", findings.checked);
        Ok(())
    }
}

/// Refusals of what could be read are problems that know their request; of what could not, there is nothing to tell.
fn is_in_form(answer: &Answer) -> bool {
    let id = answer.header("x-request-id");
    if answer.status < 400 {
        return !id.is_empty();
    }
    if id.is_empty() {
        return UNREAD.contains(&answer.status) && answer.body.is_empty();
    }
    let problem: Value = serde_json::from_slice(&answer.body).unwrap_or_default();
    answer.header("content-type") == "application/problem+json"
        && problem["status"] == answer.status
        && problem["code"].is_string()
        && problem["request_id"] == id
}
