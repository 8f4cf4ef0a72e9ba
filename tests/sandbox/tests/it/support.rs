//! A sandbox for one test, a client of its API, and a receiver of its notifications.

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex},
    time::Duration,
};

use base64::{Engine, engine::general_purpose::STANDARD};
use guildhall_sandbox::{Sandbox, config::Config};
use guildhall_testkit::http::HttpClient;
use poem::{
    Body, EndpointExt, Request, Route, Server,
    http::{HeaderMap, Method, StatusCode, Uri},
    listener::TcpAcceptor,
    web::Data,
};
use serde_json::{Value, json};
use tokio::{net::TcpSocket, sync::mpsc, task::JoinHandle, time::timeout};

pub(crate) const KEY: &str = "7d9f0335-8dcc-4054-9bf9-0dbd61d36906";
/// Query parameters of a time range that contains every record.
pub(crate) const ALL_TIME: &str = "inicio=2020-01-01T00:00:00Z&fim=2100-01-01T00:00:00Z";
/// The time limit for anything that a test waits for. It only ends a test that hangs.
pub(crate) const HANG_LIMIT: Duration = Duration::from_secs(60);

/// Settings with short delays. A reordered notification waits for the next one, however slow the machine is.
pub(crate) fn fast_config() -> Config {
    Config { refund_ms: 0, webhook_backoff_ms: 10, reorder_ms: 3_600_000, ..Config::default() }
}

/// A client of one sandbox, with a token for all scopes.
#[derive(Clone)]
pub(crate) struct BankClient {
    pub(crate) http: HttpClient,
}

impl BankClient {
    pub(crate) async fn new(url: String) -> Self {
        let client = Self { http: HttpClient::new(&url).with_time_limit(HANG_LIMIT) };
        let (status, body) =
            client.request_token("grant_type=client_credentials", Some("sandbox-secret")).await;
        assert_eq!(status, 200, "{body}");
        Self { http: client.http.with_token(body["access_token"].as_str().unwrap()) }
    }

    /// Returns a client with the same token for another URL.
    pub(crate) fn at(self, url: String) -> Self {
        let mut http = HttpClient::new(&url).with_time_limit(HANG_LIMIT);
        http.token = self.http.token;
        Self { http }
    }

    pub(crate) async fn request_token(&self, form: &str, secret: Option<&str>) -> (u16, Value) {
        let mut http = self.http.clone();
        http.token = None;
        let mut request = http.request(Method::POST, "/oauth/token");
        if let Some(secret) = secret {
            let credentials = STANDARD.encode(format!("guildhall:{secret}"));
            request = request.header("Authorization", format!("Basic {credentials}"));
        }
        let request = request.header("Content-Type", "application/x-www-form-urlencoded");
        let response = request.body(form.to_owned()).send().await.unwrap();
        (response.status, serde_json::from_slice(&response.body).unwrap())
    }

    /// Sends a request, with a body unless it is null. Returns `None` if there is no response.
    pub(crate) async fn try_send(&self, method: Method, path: &str, body: &Value) -> Option<(u16, Value)> {
        let response = self.http.request_with(method, path, body).send().await.ok()?;
        Some((response.status, serde_json::from_slice(&response.body).unwrap_or_default()))
    }

    pub(crate) async fn get(&self, path: &str) -> (u16, Value) {
        self.try_send(Method::GET, path, &Value::Null).await.unwrap()
    }

    pub(crate) async fn put(&self, path: &str, body: Value) -> (u16, Value) {
        self.try_send(Method::PUT, path, &body).await.unwrap()
    }

    pub(crate) async fn post(&self, path: &str, body: Value) -> (u16, Value) {
        self.try_send(Method::POST, path, &body).await.unwrap()
    }

    /// Creates a charge of 10.00 and returns it.
    pub(crate) async fn create_charge(&self, txid: &str) -> Value {
        let (status, charge) = self.put(&format!("/cob/{txid}"), charge_body("10.00")).await;
        assert_eq!(status, 201, "{charge}");
        charge
    }

    /// Pays a charge and returns the first payment.
    pub(crate) async fn pay(&self, txid: &str) -> Value {
        let (status, mut body) = self.post("/sandbox/pay", json!({ "txid": txid })).await;
        assert_eq!(status, 201, "{body}");
        body["pix"][0].take()
    }

    pub(crate) async fn set_faults(&self, faults: Value) {
        let (status, body) = self.put("/sandbox/faults", faults).await;
        assert_eq!(status, 200, "{body}");
    }

    /// Waits until the count of a fault is zero.
    pub(crate) async fn wait_until_fault_is_used(&self, pointer: &str) {
        let used = async {
            while self.get("/sandbox/faults").await.1.pointer(pointer) != Some(&json!(0)) {
                tokio::task::yield_now().await;
            }
        };
        timeout(HANG_LIMIT, used).await.expect("the fault was not used");
    }

    pub(crate) async fn register_webhook(&self, url: &str) -> (u16, Value) {
        self.put(&format!("/webhook/{KEY}"), json!({ "webhookUrl": url })).await
    }
}

/// Returns the body of a request for a charge.
pub(crate) fn charge_body(amount: &str) -> Value {
    json!({ "calendario": { "expiracao": 3600 }, "valor": { "original": amount }, "chave": KEY })
}

/// Returns a valid txid with this end.
pub(crate) fn txid(end: &str) -> String {
    format!("{end:0>26}")
}

/// Starts a sandbox with a client, and a receiver whose webhook is registered.
pub(crate) async fn start(config: Config) -> (Sandbox, BankClient, Receiver) {
    let sandbox = Sandbox::start(config).await.unwrap();
    let client = BankClient::new(sandbox.url()).await;
    let mut receiver = Receiver::start();
    let (status, body) = client.register_webhook(&format!("{}/hook?secret=s3cret", receiver.url)).await;
    assert_eq!(status, 200, "{body}");
    assert_eq!(receiver.next().await.body, json!({ "evento": "teste_webhook" }).to_string());
    (sandbox, client, receiver)
}

/// A port that is reserved but refuses connections.
pub(crate) struct ReservedPort {
    pub(crate) url: String,
    socket: TcpSocket,
}

impl ReservedPort {
    pub(crate) fn new() -> Self {
        let socket = TcpSocket::new_v4().unwrap();
        socket.bind("127.0.0.1:0".parse().unwrap()).unwrap();
        Self { url: format!("http://{}", socket.local_addr().unwrap()), socket }
    }
}

/// The receiver's server. It records notifications and returns 200 unless a test sets other responses.
pub(crate) struct Receiver {
    pub(crate) url: String,
    /// The status codes of the next responses.
    pub(crate) responses: Arc<Mutex<VecDeque<StatusCode>>>,
    requests: mpsc::UnboundedReceiver<ReceivedRequest>,
    server: JoinHandle<()>,
}

/// A request that the receiver got.
pub(crate) struct ReceivedRequest {
    pub(crate) uri: Uri,
    pub(crate) headers: HeaderMap,
    pub(crate) body: String,
}

impl ReceivedRequest {
    /// Returns the first payment of a notification.
    pub(crate) fn payment(&self) -> Value {
        let body: Value = serde_json::from_str(&self.body).unwrap();
        body["pix"][0].clone()
    }
}

impl Receiver {
    pub(crate) fn start() -> Self {
        Self::start_at(ReservedPort::new())
    }

    pub(crate) fn start_at(port: ReservedPort) -> Self {
        let (sender, requests) = mpsc::unbounded_channel();
        let responses = Arc::<Mutex<VecDeque<StatusCode>>>::default();
        let routes = Route::new().at("/*path", poem::post(record)).data(sender).data(responses.clone());
        let acceptor = TcpAcceptor::from_tokio(port.socket.listen(1024).unwrap()).unwrap();
        let server =
            tokio::spawn(async move { Server::new_with_acceptor(acceptor).run(routes).await.unwrap() });
        Self { url: port.url, responses, requests, server }
    }

    pub(crate) async fn next(&mut self) -> ReceivedRequest {
        timeout(HANG_LIMIT, self.requests.recv()).await.expect("no request arrived").unwrap()
    }

    /// Returns whether the test has taken every request that arrived.
    pub(crate) fn is_empty(&self) -> bool {
        self.requests.is_empty()
    }
}

impl Drop for Receiver {
    fn drop(&mut self) {
        self.server.abort();
    }
}

#[poem::handler]
async fn record(
    request: &Request,
    body: Body,
    Data(sender): Data<&mpsc::UnboundedSender<ReceivedRequest>>,
    Data(responses): Data<&Arc<Mutex<VecDeque<StatusCode>>>>,
) -> StatusCode {
    let body = body.into_string().await.unwrap();
    let status = responses.lock().unwrap().pop_front().unwrap_or(StatusCode::OK);
    let (uri, headers) = (request.uri().clone(), request.headers().clone());
    let _ = sender.send(ReceivedRequest { uri, headers, body });
    status
}
