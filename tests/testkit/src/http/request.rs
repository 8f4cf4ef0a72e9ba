//! The requests of a client.

use std::{sync::Arc, time::Duration};

use anyhow::{Context, anyhow};
use http::{
    HeaderName, HeaderValue, Method,
    header::{AUTHORIZATION, CONTENT_TYPE, HOST},
};
use http_body_util::{BodyExt, Full};
use hyper::body::Bytes;
use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};
use serde_json::Value;
use tokio::time::timeout;
use uuid::Uuid;

use super::{
    connections::ConnectionPool,
    response::{HttpResponse, ResponseStream},
};

/// The characters of a path that must be encoded. A `%` is the start of an encoded one.
const ENCODED: &AsciiSet = &CONTROLS.add(b' ').add(b'"').add(b'#').add(b'<').add(b'>').add(b'`');

/// A request of a client. It can be sent again and again.
pub struct Request {
    connections: Arc<ConnectionPool>,
    time_limit: Duration,
    request: Result<http::Request<Full<Bytes>>, http::Error>,
}

impl Request {
    pub(super) fn new(
        connections: Arc<ConnectionPool>,
        time_limit: Duration,
        method: Method,
        path: &str,
    ) -> Self {
        let uri = utf8_percent_encode(path, ENCODED).to_string();
        let request = http::Request::builder().method(method).uri(uri).body(Full::default());
        Self { connections, time_limit, request }
    }

    /// Adds a header.
    #[must_use]
    pub fn header<N, V>(mut self, name: N, value: V) -> Self
    where
        HeaderName: TryFrom<N, Error: Into<http::Error>>,
        HeaderValue: TryFrom<V, Error: Into<http::Error>>,
    {
        self.request = self.request.and_then(|mut request| {
            let name = HeaderName::try_from(name).map_err(Into::<http::Error>::into)?;
            request
                .headers_mut()
                .append(name, HeaderValue::try_from(value).map_err(Into::<http::Error>::into)?);
            Ok(request)
        });
        self
    }

    /// Adds an access token, if there is one.
    #[must_use]
    pub fn bearer_auth<'a>(self, token: impl Into<Option<&'a str>>) -> Self {
        match token.into() {
            Some(token) => self.header(AUTHORIZATION, format!("Bearer {token}")),
            None => self,
        }
    }

    /// Adds an idempotency key, if there is one.
    #[must_use]
    pub fn idempotency_key(self, key: impl Into<Option<Uuid>>) -> Self {
        match key.into() {
            Some(key) => self.header("Idempotency-Key", key.to_string()),
            None => self,
        }
    }

    /// Sets a JSON body. The media type is JSON unless the request has another one.
    #[must_use]
    pub fn json(mut self, body: &Value) -> Self {
        if let Ok(request) = &mut self.request {
            let media_type = HeaderValue::from_static("application/json");
            request.headers_mut().entry(CONTENT_TYPE).or_insert(media_type);
        }
        self.body(body.to_string())
    }

    #[must_use]
    pub fn body(mut self, body: impl Into<Bytes>) -> Self {
        self.request = self.request.map(|request| request.map(|_| Full::new(body.into())));
        self
    }

    /// The method and the path without the query.
    ///
    /// # Errors
    /// When the request is not valid.
    pub fn target(&self) -> anyhow::Result<(&Method, &str)> {
        let request = self.valid()?;
        Ok((request.method(), request.uri().path()))
    }

    fn valid(&self) -> anyhow::Result<&http::Request<Full<Bytes>>> {
        self.request.as_ref().map_err(|error| anyhow!("an invalid request: {error}"))
    }

    /// Sends the request, and reads the whole response.
    ///
    /// # Errors
    /// When the request is not valid, or there is no whole response within the time limit.
    pub async fn send(&self) -> anyhow::Result<HttpResponse> {
        self.in_time(async {
            let ResponseStream { status, headers, body, connection } = self.exchange().await?;
            let body = body.collect().await?.to_bytes();
            if let Some(connection) = connection {
                self.connections.keep(connection).await;
            }
            Ok(HttpResponse { status, headers, body })
        })
        .await
    }

    /// Sends the request, and reads the head of the response. The body is read as it arrives.
    ///
    /// # Errors
    /// When the request is not valid, or there is no response within the time limit.
    pub async fn open(&self) -> anyhow::Result<ResponseStream> {
        self.in_time(self.exchange()).await
    }

    async fn exchange(&self) -> anyhow::Result<ResponseStream> {
        let mut request = self.valid()?.clone();
        if !request.headers().contains_key(HOST) {
            request.headers_mut().insert(HOST, self.connections.address.parse()?);
        }
        let (response, connection) = self.connections.send(request).await?;
        let (head, body) = response.into_parts();
        Ok(ResponseStream { status: head.status.as_u16(), headers: head.headers, body, connection })
    }

    async fn in_time<T>(&self, response: impl Future<Output = anyhow::Result<T>>) -> anyhow::Result<T> {
        let limit = self.time_limit;
        timeout(limit, response).await.with_context(|| format!("no response within {limit:?}"))?
    }
}
