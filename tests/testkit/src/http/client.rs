//! The client of a server.

use std::{net::IpAddr, sync::Arc, time::Duration};

use anyhow::Context;
use http::Method;
use serde_json::{Value, json};

use super::{connections::ConnectionPool, request::Request, response::text};

/// The time limit of a response, unless a client has its own: more than the site may take.
const TIME_LIMIT: Duration = Duration::from_secs(40);

/// A client of one server, with an access token or without one. Its clones share their connections.
#[derive(Clone)]
pub struct HttpClient {
    connections: Arc<ConnectionPool>,
    time_limit: Duration,
    pub token: Option<String>,
}

/// The body of a registration.
#[must_use]
pub fn registration(name: &str, password: &str) -> Value {
    json!({ "name": name, "email": format!("{name}@example.org"), "password": password })
}

impl HttpClient {
    /// A client of the server at this address: `host:port` or `http://host:port`.
    #[must_use]
    pub fn new(address: &str) -> Self {
        let address = address.trim_start_matches("http://").trim_end_matches('/').to_owned();
        let connections = Arc::new(ConnectionPool { address, ..ConnectionPool::default() });
        Self { connections, time_limit: TIME_LIMIT, token: None }
    }

    /// The same client on connections from another address of this machine.
    #[must_use]
    pub fn with_source(&self, source: IpAddr) -> Self {
        let connections = ConnectionPool { source: Some(source), ..self.connections.settings() };
        Self { connections: Arc::new(connections), ..self.clone() }
    }

    /// The same client with a new connection for each request.
    #[must_use]
    pub fn without_reuse(&self) -> Self {
        let connections = ConnectionPool { is_closing: true, ..self.connections.settings() };
        Self { connections: Arc::new(connections), ..self.clone() }
    }

    #[must_use]
    pub fn with_time_limit(&self, time_limit: Duration) -> Self {
        Self { time_limit, ..self.clone() }
    }

    #[must_use]
    pub fn with_token(&self, token: &str) -> Self {
        Self { token: Some(token.to_owned()), ..self.clone() }
    }

    /// The address of the server: `host:port`.
    #[must_use]
    pub fn address(&self) -> &str {
        &self.connections.address
    }

    /// A request with the token of this client.
    #[must_use]
    pub fn request(&self, method: Method, path: &str) -> Request {
        let request = Request::new(self.connections.clone(), self.time_limit, method, path);
        request.bearer_auth(self.token.as_deref())
    }

    #[must_use]
    pub fn get(&self, path: &str) -> Request {
        self.request(Method::GET, path)
    }

    #[must_use]
    pub fn post(&self, path: &str, body: &Value) -> Request {
        self.request_with(Method::POST, path, body)
    }

    /// A request with a JSON body, unless it is null.
    #[must_use]
    pub fn request_with(&self, method: Method, path: &str, body: &Value) -> Request {
        let request = self.request(method, path);
        if body.is_null() { request } else { request.json(body) }
    }

    /// Logs in, and returns the access token.
    ///
    /// # Errors
    /// When the site refuses it.
    pub async fn log_in(&self, login: &str, password: &str) -> anyhow::Result<String> {
        let log_in = json!({ "login": login, "password": password });
        let session = self.post("/auth", &log_in).send().await?.success()?;
        Ok(text(&session["access_token"]).context("no access token")?.to_owned())
    }
}

#[cfg(test)]
mod tests {
    use tokio::{
        io::{AsyncReadExt, AsyncWriteExt},
        net::TcpListener,
        time::timeout,
    };

    use super::{super::response::HttpResponse, *};

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
        let address = listener.local_addr().expect("its address").to_string();
        (HttpClient::new(&address).with_token("t"), listener)
    }

    async fn ping(client: &HttpClient) -> anyhow::Result<HttpResponse> {
        client.post("/ping pong?a=1", &json!({ "a": 1 })).send().await
    }

    #[tokio::test]
    async fn requests_share_a_connection() {
        let (client, listener) = client().await;
        let (served, sent) = tokio::join!(serve(&listener, 2), async {
            ping(&client).await.expect("a response");
            ping(&client).await.expect("a response")
        });
        assert_eq!((sent.status, &sent.body[..]), (200, &b"ok"[..]));
        let (head, body) = served.split_once("\r\n\r\n").expect("a head");
        assert!(head.starts_with("POST /ping%20pong?a=1 HTTP/1.1"), "{head}");
        assert!(head.contains("authorization: Bearer t"), "{head}");
        assert_eq!(body, r#"{"a":1}"#);
    }

    #[tokio::test]
    async fn a_closed_connection_is_replaced() {
        let (client, listener) = client().await;
        for _ in 0..3 {
            let (_, sent) = tokio::join!(serve(&listener, 1), ping(&client));
            sent.expect("a response");
        }
    }

    #[tokio::test]
    async fn a_client_without_reuse_opens_a_connection_for_each_request() {
        let (client, listener) = client().await;
        let (client, mut open) = (client.without_reuse(), vec![]);
        for _ in 0..2 {
            // The server would serve a second request on the first connection, too.
            let respond = async {
                let (mut stream, _) = listener.accept().await.expect("a connection");
                assert!(stream.read(&mut [0; 4096]).await.expect("a request") > 0);
                stream.write_all(RESPONSE).await.expect("the client reads");
                open.push(stream);
            };
            let both = async { tokio::join!(ping(&client), respond) };
            let (sent, ()) = timeout(Duration::from_secs(20), both).await.expect("a new connection");
            sent.expect("a response");
        }
    }

    #[tokio::test]
    async fn a_connection_without_a_response_is_an_error() {
        let (client, listener) = client().await;
        let (_, sent) = tokio::join!(serve(&listener, 0), ping(&client));
        sent.expect_err("no response");
    }
}
