//! An HTTP/1.1 client with connections that stay open, for drills that end the api.
//!
//! The pool of hyper-util, which reqwest uses, can lose a request. A request goes through a channel to the task of its
//! connection. If the connection ends in that moment, the request stays in the channel until the sender is dropped. hyper-util
//! keeps the sender while it waits for the response, so the client waits until its time limit and the drill counts the site as
//! hung. This client drops the sender when the connection has ended.

use std::{pin::pin, time::Duration};

use anyhow::Context;
use http_body_util::{BodyExt, Full};
use hyper::{
    Method, Response, StatusCode,
    body::{Bytes, Incoming},
    client::conn::{
        TrySendError,
        http1::{self, SendRequest},
    },
    header::{AUTHORIZATION, CONTENT_TYPE, HOST},
};
use hyper_util::rt::TokioIo;
use parking_lot::Mutex;
use serde_json::Value;
use tokio::{net::TcpStream, task::JoinHandle, time::timeout};
use uuid::Uuid;

/// The client's time limit for a response: more than the site may take.
const RESPONSE_TIMEOUT: Duration = Duration::from_secs(40);

pub type Request = hyper::Request<Full<Bytes>>;

/// A client of one server.
pub struct HttpClient {
    /// host:port
    pub address: String,
    idle: Mutex<Vec<Connection>>,
}

struct Connection {
    requests: SendRequest<Full<Bytes>>,
    /// The task of the connection.
    task: JoinHandle<()>,
}

/// A request, with a JSON body unless it is null.
///
/// # Errors
/// When the path is not valid.
pub fn request(
    method: &Method,
    path: &str,
    body: &Value,
    token: Option<&str>,
    key: Option<Uuid>,
) -> anyhow::Result<Request> {
    let mut request = hyper::Request::builder().method(method).uri(path);
    if let Some(token) = token {
        request = request.header(AUTHORIZATION, format!("Bearer {token}"));
    }
    if let Some(key) = key {
        request = request.header("Idempotency-Key", key.to_string());
    }
    if body.is_null() {
        return Ok(request.body(Full::default())?);
    }
    Ok(request.header(CONTENT_TYPE, "application/json").body(body.to_string().into())?)
}

impl HttpClient {
    #[must_use]
    pub fn new(address: String) -> Self {
        Self { address, idle: Mutex::default() }
    }

    /// Sends a request. It is sent again if an idle connection has ended before it was sent.
    ///
    /// # Errors
    /// Without a whole response within 40 seconds.
    pub async fn send(&self, mut request: Request) -> anyhow::Result<(StatusCode, String)> {
        request.headers_mut().insert(HOST, self.address.parse()?);
        timeout(RESPONSE_TIMEOUT, self.exchange(request))
            .await
            .with_context(|| format!("no response within {RESPONSE_TIMEOUT:?}"))?
    }

    async fn exchange(&self, request: Request) -> anyhow::Result<(StatusCode, String)> {
        loop {
            let (connection, is_new) = match self.idle() {
                Some(connection) => (connection, false),
                None => (Connection::open(&self.address).await?, true),
            };
            let (connection, sent) = connection.send(request.clone()).await;
            let response = match sent {
                Err(unsent) if unsent.message().is_some() && !is_new => continue,
                sent => sent.map_err(TrySendError::into_error)?,
            };
            let status = response.status();
            let body = response.into_body().collect().await?.to_bytes();
            if let Some(mut connection) = connection
                && connection.requests.ready().await.is_ok()
            {
                self.idle.lock().push(connection);
            }
            return Ok((status, String::from_utf8_lossy(&body).into_owned()));
        }
    }

    /// A connection that the server has not closed.
    fn idle(&self) -> Option<Connection> {
        let mut idle = self.idle.lock();
        while let Some(connection) = idle.pop() {
            if connection.requests.is_ready() {
                return Some(connection);
            }
        }
        None
    }
}

impl Connection {
    async fn open(address: &str) -> anyhow::Result<Self> {
        let stream = TcpStream::connect(address).await?;
        stream.set_nodelay(true)?;
        let (mut requests, connection) = http1::handshake(TokioIo::new(stream)).await?;
        // Its error reaches the request.
        let task = tokio::spawn(async { drop(connection.await) });
        requests.ready().await?;
        Ok(Self { requests, task })
    }

    /// Sends a request. Returns the connection unless it has ended. The error has the request if it was not sent.
    async fn send(
        self,
        request: Request,
    ) -> (Option<Self>, Result<Response<Incoming>, TrySendError<Request>>) {
        let Self { mut requests, mut task } = self;
        let mut response = pin!(requests.try_send_request(request));
        let sent = tokio::select! {
            biased;
            sent = &mut response => sent,
            _ = &mut task => {
                drop(requests);
                return (None, response.await);
            }
        };
        (Some(Self { requests, task }), sent)
    }
}

#[cfg(test)]
mod tests {
    use tokio::{
        io::{AsyncReadExt, AsyncWriteExt},
        net::TcpListener,
    };

    use super::*;

    const RESPONSE: &[u8] = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

    /// A server for one connection. It closes the connection after this number of responses, and returns the last request.
    async fn serve(listener: &TcpListener, responses: usize) -> String {
        let (mut stream, _) = listener.accept().await.expect("a connection");
        let mut buffer = vec![0; 4096];
        for _ in 0..responses {
            let length = stream.read(&mut buffer).await.expect("a request");
            buffer.truncate(length);
            stream.write_all(RESPONSE).await.expect("the client reads");
            buffer.resize(4096, 0);
        }
        String::from_utf8_lossy(&buffer).trim_end_matches('\0').to_owned()
    }

    async fn client() -> (HttpClient, TcpListener) {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        (HttpClient::new(listener.local_addr().expect("its address").to_string()), listener)
    }

    fn ping() -> Request {
        request(&Method::POST, "/ping?a=1", &serde_json::json!({ "a": 1 }), Some("t"), None)
            .expect("it is valid")
    }

    #[tokio::test]
    async fn requests_share_a_connection() {
        let (client, listener) = client().await;
        let (served, sent) = tokio::join!(serve(&listener, 2), async {
            client.send(ping()).await.expect("a response");
            client.send(ping()).await.expect("a response")
        });
        assert_eq!(sent, (StatusCode::OK, "ok".to_owned()));
        let (head, body) = served.split_once("\r\n\r\n").expect("a head");
        assert!(head.starts_with("POST /ping?a=1 HTTP/1.1"), "{head}");
        assert!(head.contains("authorization: Bearer t"), "{head}");
        assert_eq!(body, r#"{"a":1}"#);
    }

    #[tokio::test]
    async fn a_closed_connection_is_replaced() {
        let (client, listener) = client().await;
        for _ in 0..3 {
            let (_, sent) = tokio::join!(serve(&listener, 1), client.send(ping()));
            sent.expect("a response");
        }
    }

    #[tokio::test]
    async fn a_connection_without_a_response_is_an_error() {
        let (client, listener) = client().await;
        let (_, sent) = tokio::join!(serve(&listener, 0), client.send(ping()));
        sent.expect_err("no response");
    }
}
