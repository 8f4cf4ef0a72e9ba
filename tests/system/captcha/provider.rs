//! A captcha provider with the protocol siteverify. A solution decides how it responds.

use std::{
    collections::HashSet,
    sync::{Arc, Mutex},
};

use guildhall_api::config::{CaptchaKind, CaptchaSettings};
use reqwest::Url;
use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
};

use crate::support::options::{Options, no_captcha};

/// The secret key of the site.
const SECRET: &str = "1x0000000000000000000000000000000AA";

#[derive(Clone)]
pub(super) struct CaptchaProvider {
    url: String,
    requests: Arc<Mutex<Vec<Value>>>,
    used: Arc<Mutex<HashSet<String>>>,
}

impl CaptchaProvider {
    pub(super) async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/siteverify", listener.local_addr().unwrap());
        let provider = Self { url, requests: Arc::default(), used: Arc::default() };
        let accepting = provider.clone();
        tokio::spawn(async move {
            while let Ok((connection, _)) = listener.accept().await {
                let provider = accepting.clone();
                tokio::spawn(async move { provider.serve(connection).await });
            }
        });
        provider
    }

    /// A site that uses this provider at registration and recovery.
    pub(super) fn options(&self) -> Options {
        let captcha = CaptchaSettings {
            captcha: CaptchaKind::Siteverify,
            captcha_url: Some(self.url.clone()),
            captcha_secret: Some(SECRET.into()),
            captcha_site_key: Some("1x00000000000000000000AA".to_owned()),
            ..no_captcha()
        };
        Options { captcha, ..Options::default() }
    }

    /// The forms that were received.
    pub(super) fn requests(&self) -> Vec<Value> {
        self.requests.lock().unwrap().clone()
    }

    async fn serve(&self, mut connection: TcpStream) {
        let Some(form) = read_form(&mut connection).await else { return };
        self.requests.lock().unwrap().push(form.clone());
        let solution = form["response"].as_str().unwrap().to_owned();
        let response = match solution.as_str() {
            "silent" => return std::future::pending().await,
            "slow" => return drip(&mut connection).await,
            "broken" => response("500 Internal Server Error", "", "{\"success\": true}"),
            "moved" => response("302 Found", &format!("Location: {}\r\n", self.url), "{\"success\": true}"),
            "no-json" => response("200 OK", "", "<html>"),
            "giant" => {
                let body = json!({ "success": true, "action": "x".repeat(10_000_000) });
                response("200 OK", "", &body.to_string())
            }
            solution => response("200 OK", "", &self.verify(&form, solution).to_string()),
        };
        let _ = connection.write_all(response.as_bytes()).await;
    }

    fn verify(&self, form: &Value, solution: &str) -> Value {
        let failure = |code: &str| json!({ "success": false, "error-codes": [code] });
        if form["secret"] != SECRET || solution == "misconfigured" {
            return failure("invalid-input-secret");
        }
        if !solution.starts_with("solved") {
            return failure("invalid-input-response");
        }
        if !self.used.lock().unwrap().insert(solution.to_owned()) {
            return failure("timeout-or-duplicate");
        }
        json!({ "success": true, "challenge_ts": "2030-01-31T12:00:00Z", "hostname": "site.example", "error-codes": [] })
    }
}

/// Reads a request, and parses its body as a form.
async fn read_form(connection: &mut TcpStream) -> Option<Value> {
    let mut request = vec![];
    loop {
        let text = String::from_utf8_lossy(&request).into_owned();
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let head = head.to_ascii_lowercase();
            assert!(head.contains("content-type: application/x-www-form-urlencoded"), "{head}");
            let (_, length) = head.split_once("content-length: ").unwrap();
            let length: usize = length.lines().next().unwrap().parse().unwrap();
            if body.len() >= length {
                let url = Url::parse(&format!("http://form/?{body}")).unwrap();
                return Some(
                    url.query_pairs()
                        .map(|(name, value)| (name.into_owned(), Value::String(value.into_owned())))
                        .collect(),
                );
            }
        }
        if connection.read_buf(&mut request).await.ok()? == 0 {
            return None;
        }
    }
}

fn response(status: &str, headers: &str, body: &str) -> String {
    format!(
        "HTTP/1.1 {status}\r\nContent-Type: application/json\r\n{headers}Content-Length: {}\r\nConnection: close\r\n\r\n{body}",
        body.len()
    )
}

/// Sends a space each second. It never comes to an end.
async fn drip(connection: &mut TcpStream) {
    let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n";
    let mut sent = connection.write_all(head.as_bytes()).await;
    while sent.is_ok() {
        tokio::time::sleep(std::time::Duration::from_secs(1)).await;
        sent = connection.write_all(b" ").await;
    }
}
