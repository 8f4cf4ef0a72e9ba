//! Responses, and access to fields of JSON.

use anyhow::{Context, ensure};
use http::HeaderMap;
use http_body_util::BodyExt;
use hyper::body::{Bytes, Incoming};
use serde_json::Value;

use super::connections::ClientConnection;

/// A whole response.
#[derive(Debug, Clone)]
pub struct HttpResponse {
    pub status: u16,
    pub headers: HeaderMap,
    pub body: Bytes,
}

/// A response whose body is read as it arrives. Dropping it closes its connection.
pub struct ResponseStream {
    pub status: u16,
    pub headers: HeaderMap,
    pub(super) body: Incoming,
    /// The connection of the response, unless that has ended.
    pub(super) connection: Option<ClientConnection>,
}

/// A response with a JSON body: a success or a refusal. While an operation is pending its status is 202.
#[derive(Debug, Clone)]
pub struct Response {
    pub status: u16,
    pub headers: HeaderMap,
    /// The body, as a text if it is not JSON.
    pub body: Value,
}

impl HttpResponse {
    #[must_use]
    pub fn is_success(&self) -> bool {
        is_success(self.status)
    }

    /// The value of a header. Empty without the header.
    #[must_use]
    pub fn header(&self, name: &str) -> &str {
        header(&self.headers, name)
    }

    #[must_use]
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    /// The JSON of a success.
    ///
    /// # Errors
    /// When it is a refusal or an error, or no JSON.
    pub fn success(&self) -> anyhow::Result<Value> {
        ensure!(self.is_success(), "{}: {}", self.status, self.text());
        Ok(serde_json::from_slice(&self.body)?)
    }
}

impl ResponseStream {
    /// The next bytes of the body. `None` at its end.
    ///
    /// # Errors
    /// When the connection has failed.
    pub async fn chunk(&mut self) -> anyhow::Result<Option<Bytes>> {
        while let Some(frame) = self.body.frame().await {
            if let Ok(data) = frame?.into_data() {
                return Ok(Some(data));
            }
        }
        Ok(None)
    }

    /// Reads the rest of the body.
    ///
    /// # Errors
    /// When the connection has failed.
    pub async fn read_to_end(self) -> anyhow::Result<Bytes> {
        Ok(self.body.collect().await?.to_bytes())
    }

    /// Reads until this text has arrived. Returns all that was read.
    ///
    /// # Errors
    /// When the stream ends before.
    pub async fn read_until(&mut self, text: &str) -> anyhow::Result<String> {
        let mut received = Vec::new();
        loop {
            let read = String::from_utf8_lossy(&received);
            if read.contains(text) {
                return Ok(read.into_owned());
            }
            let chunk = self.chunk().await?;
            received.extend_from_slice(&chunk.with_context(|| format!("the stream ended after {read}"))?);
        }
    }
}

impl From<HttpResponse> for Response {
    fn from(response: HttpResponse) -> Self {
        let body = serde_json::from_slice(&response.body).unwrap_or_else(|_| Value::String(response.text()));
        Self { status: response.status, headers: response.headers, body }
    }
}

impl Response {
    #[must_use]
    pub fn is_success(&self) -> bool {
        is_success(self.status)
    }

    #[must_use]
    pub fn is_pending(&self) -> bool {
        self.status == 202
    }

    /// The code of a refusal. Empty for a success.
    #[must_use]
    pub fn code(&self) -> &str {
        self.body["code"].as_str().unwrap_or_default()
    }

    /// The value of a header. Empty without the header.
    #[must_use]
    pub fn header(&self, name: &str) -> &str {
        header(&self.headers, name)
    }
}

fn is_success(status: u16) -> bool {
    (200..300).contains(&status)
}

fn header<'a>(headers: &'a HeaderMap, name: &str) -> &'a str {
    headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
}

/// The items of a list.
///
/// # Errors
/// When the value is not a list.
pub fn items(list: &Value) -> anyhow::Result<&Vec<Value>> {
    list["items"].as_array().with_context(|| format!("wrong: {list} is not a list"))
}

/// The text in a JSON value.
///
/// # Errors
/// When the value is not a text.
pub fn text(value: &Value) -> anyhow::Result<&str> {
    value.as_str().with_context(|| format!("{value} is not a text"))
}
