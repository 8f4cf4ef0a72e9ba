//! The site, and the checks of each response.

use std::{net::SocketAddr, time::Duration};

use anyhow::Context;
use guildhall_testkit::{
    environment::setting,
    http::{
        HttpClient, Response,
        raw_connection::{ExchangeResult, RawConnection, RawResponse},
    },
};
use http::Method;
use parking_lot::Mutex;
use serde_json::{Value, json};

use crate::stack::Stack;

/// The statuses for bytes that are not HTTP. 0 stands for a closed connection.
pub(super) const UNREADABLE: &[u16] = &[0, 400, 414, 431];

/// A connection that gets no response in this time hangs. The server's own limits are shorter.
pub(super) const HANG_TIME_LIMIT: Duration = Duration::from_secs(60);

/// The number of failed checks that are printed.
const PRINTED_FAILURES: usize = 40;

pub(super) struct AbuseSite {
    pub(super) stack: Stack,
    pub(super) address: SocketAddr,
    pub(super) http: HttpClient,
    checks: Mutex<CheckResults>,
}

#[derive(Default)]
struct CheckResults {
    count: usize,
    failures: Vec<String>,
}

/// The bytes of a request, with the origin of the site's own page: without it, the operations for browsers read no body.
pub(super) fn request(line: &str, headers: &[(&str, &str)], body: &[u8]) -> Vec<u8> {
    let mut bytes = format!("{line} HTTP/1.1\r\nHost: drill\r\nOrigin: http://drill\r\n").into_bytes();
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

impl AbuseSite {
    /// # Errors
    /// When `./dev drill` did not start this process.
    pub(super) fn from_environment() -> anyhow::Result<Self> {
        let address = setting("GUILDHALL_API_LISTEN")?;
        let http = HttpClient::new(&address).without_reuse().with_time_limit(Duration::from_secs(70));
        let stack = Stack::from_environment()?;
        Ok(Self { stack, address: address.parse()?, http, checks: Mutex::default() })
    }

    /// Logs in with a demo account and returns a new access token.
    ///
    /// # Errors
    /// When the log-in is refused.
    pub(super) async fn log_in(&self, role: &str) -> anyhow::Result<String> {
        let (name, secret) = Stack::credential(role)?;
        if role == "game" {
            return Ok(secret);
        }
        let body = json!({ "login": name, "password": secret });
        let (status, session) = self.send("", Method::POST, "/auth", &body).await?;
        let token = session["access_token"].as_str();
        Ok(token.with_context(|| format!("{role} cannot log in: {status}"))?.to_owned())
    }

    /// Sends a valid request. An empty token means none.
    ///
    /// # Errors
    /// Without a response.
    pub(super) async fn send(
        &self,
        token: &str,
        method: Method,
        path: &str,
        body: &Value,
    ) -> anyhow::Result<(u16, Value)> {
        let title = format!("{method} {path}");
        let request = self.http.request_with(method, path, body);
        let request = request.bearer_auth(Some(token).filter(|token| !token.is_empty()));
        let response: Response = request.send().await.with_context(|| title.clone())?.into();
        let Response { status, headers, body: received } = response;
        // A request above a limit gets a 503 with Retry-After.
        let is_overload = status == 503 && headers.contains_key("retry-after");
        self.check(status < 500 || is_overload, || format!("{title} with {body:.200}: {status} {received}"));
        Ok((status, received))
    }

    /// Sends bytes on a new connection and expects one of these statuses. 0 stands for a closed connection.
    pub(super) async fn send_raw(&self, title: &str, bytes: &[u8], expected: &[u16]) {
        let result = match RawConnection::open(self.address).await {
            Ok(mut connection) => connection.exchange(bytes, HANG_TIME_LIMIT).await,
            Err(_) => ExchangeResult::Closed,
        };
        self.check_result(title, &result, expected);
    }

    /// Checks the status and the form of a response.
    pub(super) fn check_result(&self, title: &str, result: &ExchangeResult, expected: &[u16]) {
        let status = match result {
            ExchangeResult::Response(response) => response.status,
            ExchangeResult::Closed => 0,
            ExchangeResult::TimedOut => return self.check(false, || format!("{title}: no response in time")),
        };
        self.check(expected.contains(&status), || format!("{title}: {status}, expected one of {expected:?}"));
        if let ExchangeResult::Response(response) = result {
            self.check(is_well_formed(response), || format!("{title}: {response:?}"));
        }
    }

    pub(super) fn check(&self, is_met: bool, failure: impl FnOnce() -> String) {
        let mut checks = self.checks.lock();
        checks.count += 1;
        if !is_met {
            checks.failures.push(failure());
        }
    }

    /// The number of checks so far.
    pub(super) fn check_count(&self) -> usize {
        self.checks.lock().count
    }

    /// Prints the failed checks.
    ///
    /// # Errors
    /// When a check has failed.
    pub(super) fn conclude(&self) -> anyhow::Result<()> {
        let checks = self.checks.lock();
        for failure in checks.failures.iter().take(PRINTED_FAILURES) {
            println!("FAILED  {}", failure.chars().take(600).collect::<String>());
        }
        anyhow::ensure!(checks.failures.is_empty(), "{} checks failed", checks.failures.len());
        println!("all {} checks passed", checks.count);
        Ok(())
    }
}

/// Whether a refusal is a problem with the id of its request. A response to bytes that are not HTTP has no body.
fn is_well_formed(response: &RawResponse) -> bool {
    let id = response.header("x-request-id");
    if response.status < 400 {
        return !id.is_empty();
    }
    if id.is_empty() {
        return UNREADABLE.contains(&response.status) && response.body.is_empty();
    }
    let problem: Value = serde_json::from_slice(&response.body).unwrap_or_default();
    response.header("content-type") == "application/problem+json"
        && problem["status"] == response.status
        && problem["code"].is_string()
        && problem["request_id"] == id
}
