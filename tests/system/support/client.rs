//! A client of the site, and the responses that it receives.

use std::{
    net::IpAddr,
    time::{Duration, Instant},
};

use reqwest::{Method, StatusCode, header::HeaderMap};
use serde_json::{Value, json};

use super::{document::assert_documented, wait::HANG_LIMIT};

/// A client with an access token, or without one.
#[derive(Clone)]
pub(crate) struct Client {
    http: reqwest::Client,
    pub(crate) url: String,
    pub(crate) token: Option<String>,
    /// The account that the token belongs to; 0 without one.
    pub(crate) account_id: i64,
}

impl Client {
    /// A client without a token.
    pub(crate) fn new(url: &str) -> Self {
        let http = reqwest::Client::builder().timeout(HANG_LIMIT).build().unwrap();
        Self { http, url: url.to_owned(), token: None, account_id: 0 }
    }

    /// The same client on connections from another address of this machine.
    pub(crate) fn with_address(&self, address: IpAddr) -> Self {
        let http = reqwest::Client::builder().timeout(HANG_LIMIT).local_address(address).build().unwrap();
        Self { http, ..self.clone() }
    }

    /// The same client with another token.
    pub(crate) fn with_token(&self, token: &str) -> Self {
        Self { token: Some(token.to_owned()), ..self.clone() }
    }

    /// A client of this site with the token of another client.
    pub(crate) fn as_client(&self, client: &Self) -> Self {
        Self { token: client.token.clone(), account_id: client.account_id, ..self.clone() }
    }

    /// The same client, of this account.
    pub(crate) fn with_account(self, account_id: i64) -> Self {
        Self { account_id, ..self }
    }

    pub(crate) fn request(&self, method: Method, path: &str) -> reqwest::RequestBuilder {
        let request = self.http.request(method, format!("{}{path}", self.url));
        match &self.token {
            Some(token) => request.bearer_auth(token),
            None => request,
        }
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

/// A response that was read completely.
#[derive(Debug, Clone)]
pub(crate) struct Response {
    pub(crate) status: u16,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Value,
}

/// Sends a request, again if the api could not serve it in time because the machine is slow.
pub(crate) async fn send(request: reqwest::RequestBuilder) -> Response {
    let started = Instant::now();
    loop {
        let attempt = Instant::now();
        let response = send_once(request.try_clone().unwrap()).await;
        let code = response.body["code"].as_str().unwrap_or_default();
        let is_overload = is_overload(code, attempt.elapsed());
        if !is_overload || started.elapsed() > HANG_LIMIT {
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
pub(crate) async fn send_once(request: reqwest::RequestBuilder) -> Response {
    let (client, request) = request.build_split();
    let request = request.unwrap();
    let (method, path) = (request.method().clone(), request.url().path().to_owned());
    let response = client.execute(request).await.unwrap();
    let (status, headers) = (response.status(), response.headers().clone());
    let text = response.text().await.unwrap();
    assert_ne!(status, StatusCode::INTERNAL_SERVER_ERROR, "{text}");
    assert!(headers.contains_key("x-request-id") || !text.contains("request_id"));
    let body = serde_json::from_str(&text).unwrap_or(Value::String(text));
    if let (403 | 404 | 409, Some(code)) = (status.as_u16(), body["code"].as_str()) {
        assert_documented(&method, &path, status.as_u16(), code);
    }
    Response { status: status.as_u16(), headers, body }
}

impl Response {
    /// The body of a response with status 200.
    #[track_caller]
    pub(crate) fn ok(self) -> Value {
        assert_eq!(self.status, 200, "{self:?}");
        self.body
    }

    /// The result of a command that was applied.
    #[track_caller]
    pub(crate) fn result(self) -> Value {
        assert!(self.is_success(), "{self:?}");
        assert_eq!(self.body["status"], "applied", "{self:?}");
        self.body["result"].clone()
    }

    /// Whether a command was applied, or a read succeeded.
    pub(crate) fn is_success(&self) -> bool {
        [200, 201].contains(&self.status)
    }

    /// Asserts a problem with this status and code, and returns it.
    #[track_caller]
    pub(crate) fn problem(self, status: u16, code: &str) -> Value {
        assert_eq!((self.status, self.body["code"].as_str()), (status, Some(code)), "{self:?}");
        assert_eq!(self.headers["content-type"], "application/problem+json");
        assert_eq!(self.body["status"], status);
        assert_eq!(self.body["request_id"].as_str(), self.headers["x-request-id"].to_str().ok());
        self.body
    }

    /// Asserts that the request is invalid at this place of its body, or in this parameter.
    #[track_caller]
    pub(crate) fn invalid(self, pointer: &str) {
        let problem = self.problem(400, "invalid_request");
        let pointers: Vec<_> =
            problem["errors"].as_array().unwrap().iter().map(|error| &error["pointer"]).collect();
        assert!(pointers.contains(&&json!(pointer)), "{problem}");
    }

    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }
}
