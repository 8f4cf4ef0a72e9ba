//! A sandbox for one test, its receiver's software, and what they say to each other.

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex},
    time::Duration,
};

use guildhall_sandbox::{Sandbox, config::Config};
use poem::{
    Body, EndpointExt, Request, Route, Server,
    http::{HeaderMap, StatusCode, Uri},
    listener::{Acceptor, Listener, TcpListener},
    web::Data,
};
use reqwest::Method;
use serde_json::{Value, json};
use tokio::{sync::mpsc, task::JoinHandle, time::timeout};

pub(crate) const KEY: &str = "7d9f0335-8dcc-4054-9bf9-0dbd61d36906";
pub(crate) const ALWAYS: &str = "inicio=2020-01-01T00:00:00Z&fim=2100-01-01T00:00:00Z";

/// Settings under which nothing takes long.
pub(crate) fn quick() -> Config {
    Config { refund_ms: 0, webhook_backoff_ms: 10, ..Config::default() }
}

/// A caller of one sandbox, with a token for everything.
#[derive(Clone)]
pub(crate) struct Caller {
    pub(crate) url: String,
    pub(crate) token: String,
    client: reqwest::Client,
}

impl Caller {
    pub(crate) async fn new(url: String) -> Self {
        let mut caller = Self { url, token: String::new(), client: reqwest::Client::new() };
        let (status, answer) = caller.token("grant_type=client_credentials", Some("sandbox-secret")).await;
        assert_eq!(status, 200, "{answer}");
        caller.token = answer["access_token"].as_str().unwrap().to_owned();
        caller
    }

    /// The same caller, with the same token, elsewhere.
    pub(crate) fn at(self, url: String) -> Self {
        Self { url, ..self }
    }

    pub(crate) async fn token(&self, form: &str, secret: Option<&str>) -> (u16, Value) {
        let mut request = self.client.post(format!("{}/oauth/token", self.url));
        if let Some(secret) = secret {
            request = request.basic_auth("guildhall", Some(secret));
        }
        let request = request.header("Content-Type", "application/x-www-form-urlencoded");
        let answer = request.body(form.to_owned()).send().await.unwrap();
        (answer.status().as_u16(), answer.json().await.unwrap())
    }

    /// Calls, with a body unless it is null, and answers what comes back, if anything does.
    pub(crate) async fn try_call(&self, method: Method, path: &str, body: &Value) -> Option<(u16, Value)> {
        let mut request = self.client.request(method, format!("{}{path}", self.url)).bearer_auth(&self.token);
        if !body.is_null() {
            request = request.json(body);
        }
        let answer = request.send().await.ok()?;
        let status = answer.status().as_u16();
        Some((status, answer.json().await.unwrap_or_default()))
    }

    pub(crate) async fn get(&self, path: &str) -> (u16, Value) {
        self.try_call(Method::GET, path, &Value::Null).await.unwrap()
    }

    pub(crate) async fn put(&self, path: &str, body: Value) -> (u16, Value) {
        self.try_call(Method::PUT, path, &body).await.unwrap()
    }

    pub(crate) async fn post(&self, path: &str, body: Value) -> (u16, Value) {
        self.try_call(Method::POST, path, &body).await.unwrap()
    }

    /// Makes a charge of 10.00 and answers it.
    pub(crate) async fn charge(&self, txid: &str) -> Value {
        let (status, cob) = self.put(&format!("/cob/{txid}"), cob("10.00")).await;
        assert_eq!(status, 201, "{cob}");
        cob
    }

    /// Pays a charge and answers the first Pix.
    pub(crate) async fn pay(&self, txid: &str) -> Value {
        let (status, mut paid) = self.post("/sandbox/pay", json!({ "txid": txid })).await;
        assert_eq!(status, 201, "{paid}");
        paid["pix"][0].take()
    }

    pub(crate) async fn faults(&self, faults: Value) {
        let (status, answer) = self.put("/sandbox/faults", faults).await;
        assert_eq!(status, 200, "{answer}");
    }

    pub(crate) async fn register(&self, url: &str) -> (u16, Value) {
        self.put(&format!("/webhook/{KEY}"), json!({ "webhookUrl": url })).await
    }
}

/// A charge's body.
pub(crate) fn cob(amount: &str) -> Value {
    json!({ "calendario": { "expiracao": 3600 }, "valor": { "original": amount }, "chave": KEY })
}

/// A txid that ends so.
pub(crate) fn txid(end: &str) -> String {
    format!("{end:0>26}")
}

/// A sandbox with its caller, and a receiver whose webhook is registered.
pub(crate) async fn start(config: Config) -> (Sandbox, Caller, Receiver) {
    let sandbox = Sandbox::start(config).await.unwrap();
    let caller = Caller::new(sandbox.url()).await;
    let mut receiver = Receiver::start().await;
    let (status, answer) = caller.register(&format!("{}/hook?secret=s3cret", receiver.url)).await;
    assert_eq!(status, 200, "{answer}");
    assert_eq!(receiver.next().await.body, json!({ "evento": "teste_webhook" }).to_string());
    (sandbox, caller, receiver)
}

/// The receiver's software: takes notifications, and answers 200 unless told otherwise.
pub(crate) struct Receiver {
    pub(crate) url: String,
    /// What to answer to the next ones.
    pub(crate) answers: Arc<Mutex<VecDeque<StatusCode>>>,
    taken: mpsc::UnboundedReceiver<Taken>,
    server: JoinHandle<()>,
}

pub(crate) struct Taken {
    pub(crate) uri: Uri,
    pub(crate) headers: HeaderMap,
    pub(crate) body: String,
}

impl Taken {
    /// The first Pix of a notification.
    pub(crate) fn pix(&self) -> Value {
        let body: Value = serde_json::from_str(&self.body).unwrap();
        body["pix"][0].clone()
    }
}

impl Receiver {
    pub(crate) async fn start() -> Self {
        Self::at("127.0.0.1:0").await
    }

    pub(crate) async fn at(address: &str) -> Self {
        let (taken, is_taken) = mpsc::unbounded_channel();
        let answers = Arc::<Mutex<VecDeque<StatusCode>>>::default();
        let routes = Route::new().at("/*path", poem::post(take)).data(taken).data(answers.clone());
        let acceptor = TcpListener::bind(address.to_owned()).into_acceptor().await.unwrap();
        let port = acceptor.local_addr()[0].as_socket_addr().unwrap().port();
        let server =
            tokio::spawn(async move { Server::new_with_acceptor(acceptor).run(routes).await.unwrap() });
        Self { url: format!("http://127.0.0.1:{port}"), answers, taken: is_taken, server }
    }

    pub(crate) async fn next(&mut self) -> Taken {
        timeout(Duration::from_secs(5), self.taken.recv()).await.expect("nothing arrived in 5 s").unwrap()
    }

    /// Whether nothing has arrived that was not looked at.
    pub(crate) fn is_quiet(&self) -> bool {
        self.taken.is_empty()
    }
}

impl Drop for Receiver {
    fn drop(&mut self) {
        self.server.abort();
    }
}

#[poem::handler]
async fn take(
    request: &Request,
    body: Body,
    Data(taken): Data<&mpsc::UnboundedSender<Taken>>,
    Data(answers): Data<&Arc<Mutex<VecDeque<StatusCode>>>>,
) -> StatusCode {
    let body = body.into_string().await.unwrap();
    let answer = answers.lock().unwrap().pop_front().unwrap_or(StatusCode::OK);
    let _ = taken.send(Taken { uri: request.uri().clone(), headers: request.headers().clone(), body });
    answer
}
