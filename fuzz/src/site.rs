use std::{
    num::{NonZeroU32, NonZeroUsize},
    sync::LazyLock,
};

use base64::{Engine, engine::general_purpose::STANDARD};
use chrono::Utc;
use futures_util::FutureExt;
use guildhall_api::{
    State, app,
    config::{
        Config,
        providers::{ProviderSettings, api_pix::ApiPixSettings, manual::ManualSettings},
    },
};
use guildhall_common::platform::config::ServerSettings;
use hmac::{Hmac, KeyInit, Mac};
use metrics_exporter_prometheus::PrometheusBuilder;
use poem::{
    Addr, Endpoint, EndpointExt, Request, RequestParts, Response,
    endpoint::BoxEndpoint,
    http::{Request as Head, StatusCode, header, request::Builder, uri::Scheme},
    web::{LocalAddr, RemoteAddr},
};
use serde_json::Value;
use sha2::Sha256;
use tokio::runtime::{self, Runtime};

/// What the signed notifications are signed with, in base64 behind `whsec_`.
const SIGNING_SECRET: &str = "C2FVsBQIhrscChlQIMV+b5sSYspob7oD";

/// An api without servers: whatever it answers without them.
static SITE: LazyLock<Site> = LazyLock::new(Site::new);

struct Site {
    runtime: Runtime,
    app: BoxEndpoint<'static, Response>,
}

/// A request: method and target on the first line, its headers, an empty line, the body. Whatever is answered is no
/// fault of ours, and every error is a problem of RFC 9457.
pub fn http_request(data: &[u8]) {
    let (head, body) = match data.windows(2).position(|ends| ends == b"\n\n") {
        Some(end) => (&data[..end], &data[end + 2..]),
        None => (data, &[][..]),
    };
    let Ok(head) = str::from_utf8(head) else { return };
    let mut lines = head.lines();
    let Some((method, target)) = lines.next().and_then(|line| line.split_once(' ')) else { return };
    // A server is asked for a path, whatever else a URI may be.
    if !target.starts_with('/') {
        return;
    }
    let request = lines
        .filter_map(|line| line.split_once(": "))
        .fold(Head::builder().method(method).uri(target), |request, (name, value)| {
            request.header(name, value)
        });
    let Some(response) = SITE.answer(request, body) else { return };
    let status = response.status();
    assert!(!status.is_server_error() || status == StatusCode::SERVICE_UNAVAILABLE, "{status}");
    assert!(response.header("x-request-id").is_some());
    let encoded = response.header(header::CONTENT_ENCODING).is_some();
    if (status.is_client_error() || status.is_server_error()) && !encoded {
        assert_eq!(response.header(header::CONTENT_TYPE), Some("application/problem+json"));
        let body = response.into_body().into_vec().now_or_never().and_then(Result::ok).unwrap_or_default();
        let problem: Value = serde_json::from_slice(&body).expect("a problem is JSON");
        assert_eq!(problem["status"], status.as_u16());
        assert!(problem["code"].is_string());
    }
}

/// A signed notification: its id, how many seconds from now it was signed, its signatures with a `*` for the right
/// one, and then the body, each on lines of their own. It is taken if it is signed, now, and no other.
pub fn webhook_signature(data: &[u8]) {
    let mut parts = data.splitn(4, |byte| *byte == b'\n');
    let mut line = || str::from_utf8(parts.next()?).ok();
    let (Some(id), Some(seconds), Some(signatures)) = (line(), line(), line()) else { return };
    let Some(body) = parts.next() else { return };
    let seconds = seconds.parse::<i64>().unwrap_or_default();
    // It would be decided by how soon the request is looked at.
    if (299..=302).contains(&seconds.unsigned_abs()) {
        return;
    }
    let timestamp = Utc::now().timestamp().saturating_add(seconds).to_string();
    let right = signature(&[id.as_bytes(), b".", timestamp.as_bytes(), b".", body].concat());
    let signatures = signatures.replace('*', &right);
    let request = Head::builder()
        .method("POST")
        .uri("/payments/instant/webhook")
        .header(header::HOST, "localhost")
        .header("webhook-id", id)
        .header("webhook-timestamp", &timestamp)
        .header("webhook-signature", &signatures);
    if request.headers_ref().is_none() {
        return;
    }
    let signed = signatures.split(' ').take(10).any(|signature| signature == right);
    let readable = id.is_ascii() && signatures.is_ascii();
    let good = signed && readable && seconds.abs() <= 300 && (1..=255).contains(&id.len());
    let answered = SITE.answer(request, body);
    let refused = answered.is_some_and(|response| response.status() == StatusCode::UNAUTHORIZED);
    assert_eq!(refused, !good);
}

fn signature(message: &[u8]) -> String {
    let secret = STANDARD.decode(SIGNING_SECRET).expect("the secret is base64");
    let mut mac = Hmac::<Sha256>::new_from_slice(&secret).expect("HMAC takes keys of any length");
    mac.update(message);
    format!("v1,{}", STANDARD.encode(mac.finalize().into_bytes()))
}

impl Site {
    fn new() -> Self {
        let runtime = runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
        let context = runtime.enter();
        let state = State::new(&config()).expect("the settings can be used");
        let app = app(&state, PrometheusBuilder::new().build_recorder().handle()).map_to_response().boxed();
        drop(context);
        Self { runtime, app }
    }

    /// The answer, if none of the servers is needed for it. Nothing comes of what waits for one.
    fn answer(&self, request: Builder, body: &[u8]) -> Option<Response> {
        let (parts, ()) = request.body(()).ok()?.into_parts();
        let nobody = Addr::SocketAddr(([127, 0, 0, 1], 0).into());
        let parts: RequestParts = (parts, LocalAddr(nobody.clone()), RemoteAddr(nobody), Scheme::HTTP).into();
        let request = Request::from_parts(parts, body.to_vec().into());
        let _context = self.runtime.enter();
        self.app.get_response(request).now_or_never()
    }
}

/// ServerSettings where there are none, and limits that nobody reaches.
fn config() -> Config {
    Config {
        servers: ServerSettings {
            database_url: "postgres://127.0.0.1:1/none".into(),
            database_connections: 1,
            amqp_url: "amqp://127.0.0.1:1".into(),
            redis_url: "redis://127.0.0.1:1".into(),
            namespace: "fuzz".to_owned(),
        },
        secret: "3q2+7wABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhs=".into(),
        listen: ([127, 0, 0, 1], 0).into(),
        connections: NonZeroUsize::MAX,
        cors_origins: vec!["https://example.org".to_owned()],
        trusted_proxies: vec![],
        command_wait: 5,
        requests_per_minute: NonZeroU32::MAX,
        log_ins_per_minute: NonZeroU32::MAX,
        providers: ProviderSettings {
            api_pix: ApiPixSettings {
                pix_webhook_secret: Some("0123456789abcdef".into()),
                pix_webhook_certificate_header: None,
            },
            manual: ManualSettings { webhook_secrets: vec![format!("whsec_{SIGNING_SECRET}").into()] },
        },
        access_token_minutes: 15,
        session_days: 30,
        leave_seconds: 0,
    }
}
