//! Notifications of any other provider, signed as Standard Webhooks 1.0 says, or badly.

use std::sync::Arc;

use base64::{Engine, engine::general_purpose::STANDARD};
use chrono::Utc;
use hmac::{Hmac, KeyInit, Mac};
use poem::{
    Response, handler,
    http::StatusCode,
    web::{Data, Json},
};
use reqwest::RequestBuilder;
use serde::Deserialize;
use serde_json::{Value, json};
use sha2::Sha256;

use super::bad;
use crate::{
    State,
    api::{Problem, json_response},
    bank::random,
    notify::post,
};

/// `POST /sandbox/signed`
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Send {
    /// Where to; the setting if it is not given.
    url: Option<String>,
    /// The setting if it is not given.
    secret: Option<String>,
    body: Value,
    /// `webhook-id`: the same again is a repetition.
    id: Option<String>,
    #[serde(default)]
    fault: Fault,
}

#[derive(Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Fault {
    #[default]
    None,
    BadSignature,
    /// Signed ten minutes ago.
    Stale,
    /// Signed in ten minutes.
    Future,
    /// Without a signature.
    Unsigned,
    /// The body is another one than was signed.
    Tampered,
}

#[handler]
pub(crate) async fn send_signed(
    Json(send): Json<Send>,
    Data(state): Data<&Arc<State>>,
) -> Result<Response, Problem> {
    let url = send.url.as_ref().or(state.config.signed_url.as_ref());
    let url = url.ok_or_else(|| bad("give the url here or as a setting"))?;
    let secret = send.secret.as_ref().or(state.config.signed_secret.as_ref());
    let secret = secret.ok_or_else(|| bad("give the secret here or as a setting"))?;
    let id = send.id.clone().unwrap_or_else(|| format!("msg_{}", random(27)));
    let mut body = send.body.to_string();
    let request = sign(state.http.post(url), secret, &id, &body, send.fault).map_err(bad)?;
    if send.fault == Fault::Tampered {
        body.push(' ');
    }
    let answer = post(request, &body).await;
    let status = answer.as_ref().ok().map(StatusCode::as_u16);
    Ok(json_response(StatusCode::OK, &json!({ "id": id, "status": status, "error": answer.err() })))
}

fn sign(
    request: RequestBuilder,
    secret: &str,
    id: &str,
    body: &str,
    fault: Fault,
) -> Result<RequestBuilder, &'static str> {
    let timestamp = Utc::now().timestamp()
        + match fault {
            Fault::Stale => -600,
            Fault::Future => 600,
            _ => 0,
        };
    let signed = if fault == Fault::BadSignature { "something else" } else { body };
    let signature = signature(secret, id, timestamp, signed)?;
    let request = request.header("webhook-id", id).header("webhook-timestamp", timestamp);
    Ok(if fault == Fault::Unsigned { request } else { request.header("webhook-signature", signature) })
}

/// The value of `webhook-signature`.
///
/// # Errors
/// When the secret is not `whsec_` and base64.
fn signature(secret: &str, id: &str, timestamp: i64, body: &str) -> Result<String, &'static str> {
    let wrong = "the secret is not whsec_ and base64";
    let key = STANDARD.decode(secret.strip_prefix("whsec_").ok_or(wrong)?).map_err(|_| wrong)?;
    let mac = Hmac::<Sha256>::new_from_slice(&key).map_err(|_| wrong)?;
    let signature = mac.chain_update(format!("{id}.{timestamp}.{body}")).finalize().into_bytes();
    Ok(format!("v1,{}", STANDARD.encode(signature)))
}

#[cfg(test)]
mod tests {
    use super::signature;

    #[test]
    fn the_signature_is_the_one_that_the_standard_gives() {
        let signed = signature(
            "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD",
            "msg_27UH4WbU6Z5A5EzD8u03UvzRbpk",
            1_649_367_553,
            r#"{"email":"test@example.com","username":"test_user"}"#,
        );
        assert_eq!(signed.as_deref(), Ok("v1,tZ1I4/hDygAJgO5TYxiSd6Sd0kDW6hPenDe+bTa3Kkw="));
        assert!(signature("C2FVsBQIhrscChlQIMV", "id", 0, "").is_err());
    }
}
