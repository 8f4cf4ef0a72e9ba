use base64::{Engine, engine::general_purpose::STANDARD};
use chrono::Utc;
use hmac::{Hmac, KeyInit, Mac};
use poem::http::{Request, StatusCode, header};
use sha2::Sha256;

use crate::api::{API, SIGNING_SECRET};

/// A webhook: its id, the seconds between now and its signature, its signatures (`*` is the right one), and the
/// body. Each begins on a new line. The API accepts it only with a right signature and a current timestamp.
pub fn webhook_signature(data: &[u8]) {
    let mut parts = data.splitn(4, |byte| *byte == b'\n');
    let mut line = || str::from_utf8(parts.next()?).ok();
    let (Some(id), Some(seconds), Some(signatures)) = (line(), line(), line()) else { return };
    let Some(body) = parts.next() else { return };
    let seconds = seconds.parse::<i64>().unwrap_or_default();
    // At the limit of 300 s the result would depend on the duration of this test.
    if (299..=302).contains(&seconds.unsigned_abs()) {
        return;
    }
    let timestamp = Utc::now().timestamp().saturating_add(seconds).to_string();
    let right = sign(&[id.as_bytes(), b".", timestamp.as_bytes(), b".", body].concat());
    let signatures = signatures.replace('*', &right);
    let request = Request::builder()
        .method("POST")
        .uri("/payments/instant/webhook")
        .header(header::HOST, "localhost")
        .header("webhook-id", id)
        .header("webhook-timestamp", &timestamp)
        .header("webhook-signature", &signatures);
    if request.headers_ref().is_none() {
        return;
    }
    let is_signed = signatures.split(' ').take(10).any(|signature| signature == right);
    let is_ascii = id.is_ascii() && signatures.is_ascii();
    let is_current = seconds.abs() <= 300;
    let is_valid = is_signed && is_ascii && is_current && (1..=255).contains(&id.len());
    let response = API.respond(request, body);
    let is_refused = response.is_some_and(|response| response.status() == StatusCode::UNAUTHORIZED);
    assert_eq!(is_refused, !is_valid);
}

fn sign(message: &[u8]) -> String {
    let secret = STANDARD.decode(SIGNING_SECRET).expect("the secret is base64");
    let mut mac = Hmac::<Sha256>::new_from_slice(&secret).expect("HMAC accepts keys of any length");
    mac.update(message);
    format!("v1,{}", STANDARD.encode(mac.finalize().into_bytes()))
}
