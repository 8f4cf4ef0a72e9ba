//! A client of the site, whose responses are checked.

use std::{
    net::IpAddr,
    time::{Duration, Instant},
};

use guildhall_testkit::http::HttpClient;
pub(crate) use guildhall_testkit::http::{Request, Response};
use http::Method;
use serde_json::Value;

use super::{document::assert_documented, wait::HANG_LIMIT};

/// A client with an access token, or without one.
#[derive(Clone)]
pub(crate) struct Client {
    http: HttpClient,
    /// The account that the token belongs to; 0 without one.
    pub(crate) account_id: i64,
}

impl Client {
    /// A client without a token.
    pub(crate) fn new(url: &str) -> Self {
        Self { http: HttpClient::new(url).with_time_limit(HANG_LIMIT), account_id: 0 }
    }

    /// The same client on connections from another address of this machine.
    pub(crate) fn with_address(&self, address: IpAddr) -> Self {
        Self { http: self.http.with_source(address), ..*self }
    }

    /// The same client with another token.
    pub(crate) fn with_token(&self, token: &str) -> Self {
        Self { http: self.http.with_token(token), ..*self }
    }

    /// A client of this site with the token of another client.
    pub(crate) fn as_client(&self, client: &Self) -> Self {
        let mut http = self.http.clone();
        http.token.clone_from(&client.http.token);
        Self { http, account_id: client.account_id }
    }

    /// The same client, of this account.
    pub(crate) fn with_account(self, account_id: i64) -> Self {
        Self { account_id, ..self }
    }

    pub(crate) fn token(&self) -> &str {
        self.http.token.as_deref().unwrap()
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}", self.http.address())
    }

    pub(crate) fn request(&self, method: Method, path: &str) -> Request {
        self.http.request(method, path)
    }

    pub(crate) async fn get(&self, path: &str) -> Response {
        send(self.request(Method::GET, path)).await
    }

    pub(crate) async fn delete(&self, path: &str) -> Response {
        send(self.request(Method::DELETE, path)).await
    }

    pub(crate) async fn post(&self, path: &str, body: Value) -> Response {
        send(self.request(Method::POST, path).json(&body)).await
    }

    /// Posts with a `Prefer` header: `respond-async`, or `wait=` and seconds.
    pub(crate) async fn post_with_preference(&self, path: &str, body: &Value, prefer: &str) -> Response {
        send(self.request(Method::POST, path).header("Prefer", prefer).json(body)).await
    }

    pub(crate) async fn post_with_key(&self, path: &str, body: &Value, idempotency_key: &str) -> Response {
        send(self.request(Method::POST, path).header("Idempotency-Key", idempotency_key).json(body)).await
    }

    pub(crate) async fn put(&self, path: &str, body: Value) -> Response {
        send(self.request(Method::PUT, path).json(&body)).await
    }

    pub(crate) async fn patch(&self, path: &str, body: Value) -> Response {
        send(self.request(Method::PATCH, path).json(&body)).await
    }
}

/// Sends a request, again if the api could not serve it in time because the machine is slow.
pub(crate) async fn send(request: Request) -> Response {
    send_again(&request).await
}

/// As [`send`], for a request that is also sent a second time.
pub(crate) async fn send_again(request: &Request) -> Response {
    let started = Instant::now();
    loop {
        let attempt = Instant::now();
        let response = send_once(request).await;
        if !is_overload(response.code(), attempt.elapsed()) || started.elapsed() > HANG_LIMIT {
            return response;
        }
    }
}

/// Whether a problem with this code means that a time limit of the api ended before the request had an effect. A response
/// that comes faster has another cause, and no test may ignore it.
pub(crate) fn is_overload(code: &str, elapsed: Duration) -> bool {
    /// The shortest of these limits, the one for a database connection, is 3 s.
    const SHORTEST_LIMIT: Duration = Duration::from_millis(2900);
    elapsed > SHORTEST_LIMIT && ["database_unavailable", "busy"].contains(&code)
}

/// Sends a request exactly once. It is for tests in which a server is unavailable. A refusal must be in the document.
pub(crate) async fn send_once(request: &Request) -> Response {
    let (method, path) = request.target().unwrap();
    let response = request.send().await.unwrap();
    assert_ne!(response.status, 500, "{}", response.text());
    assert!(response.headers.contains_key("x-request-id") || !response.text().contains("request_id"));
    let response = Response::from(response);
    if let (403 | 404 | 409, Some(code)) = (response.status, response.body["code"].as_str()) {
        assert_documented(method, path, response.status, code);
    }
    response
}
