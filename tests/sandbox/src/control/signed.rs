//! Notifications of other providers, signed as Standard Webhooks 1.0 requires, or with a wrong signature.

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

use super::errors::bad_request;
use crate::{
    bank::random_id,
    http::{error_response::ErrorResponse, json::json_response},
    notifications::http_client::post_json,
    state::SandboxState,
};

/// The body of `POST /sandbox/signed`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SignedRequest {
    /// The URL of the webhook. The default is a setting.
    url: Option<String>,
    /// The signing secret. The default is a setting.
    secret: Option<String>,
    /// The body of the notification.
    body: Value,
    /// The header `webhook-id`. A repeated id is a repeated notification.
    id: Option<String>,
    #[serde(default)]
    fault: SignatureFault,
}

/// The fault of the signature.
#[derive(Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum SignatureFault {
    #[default]
    None,
    BadSignature,
    /// The timestamp is ten minutes in the past.
    Stale,
    /// The timestamp is ten minutes in the future.
    Future,
    /// The signature is missing.
    Unsigned,
    /// The body is changed after it is signed.
    Tampered,
}

/// `POST /sandbox/signed`
#[handler]
pub(super) async fn send_signed(
    Json(request): Json<SignedRequest>,
    Data(state): Data<&Arc<SandboxState>>,
) -> Result<Response, ErrorResponse> {
    let url = request.url.as_ref().or(state.config.signed_url.as_ref());
    let url = url.ok_or_else(|| bad_request("There is no URL. Add url to the request."))?;
    let secret = request.secret.as_ref().or(state.config.signed_secret.as_ref());
    let secret = secret.ok_or_else(|| bad_request("There is no secret. Add secret to the request."))?;
    let id = request.id.clone().unwrap_or_else(|| format!("msg_{}", random_id(27)));
    let mut body = request.body.to_string();
    let notification = sign(state.http.post(url), secret, &id, &body, request.fault).map_err(bad_request)?;
    if request.fault == SignatureFault::Tampered {
        body.push(' ');
    }
    let result = post_json(notification, &body).await;
    let status = result.as_ref().ok().map(StatusCode::as_u16);
    Ok(json_response(StatusCode::OK, &json!({ "id": id, "status": status, "error": result.err() })))
}

/// Adds the headers of Standard Webhooks.
fn sign(
    notification: RequestBuilder,
    secret: &str,
    id: &str,
    body: &str,
    fault: SignatureFault,
) -> Result<RequestBuilder, &'static str> {
    let timestamp = Utc::now().timestamp()
        + match fault {
            SignatureFault::Stale => -600,
            SignatureFault::Future => 600,
            _ => 0,
        };
    let signed_body = if fault == SignatureFault::BadSignature { "another body" } else { body };
    let signature = signature(secret, id, timestamp, signed_body)?;
    let notification = notification.header("webhook-id", id).header("webhook-timestamp", timestamp);
    Ok(match fault {
        SignatureFault::Unsigned => notification,
        _ => notification.header("webhook-signature", signature),
    })
}

/// Returns the value of the header `webhook-signature`.
///
/// # Errors
/// When the secret is not `whsec_` and base64.
fn signature(secret: &str, id: &str, timestamp: i64, body: &str) -> Result<String, &'static str> {
    let invalid_secret = "The secret is invalid. It must be whsec_ followed by base64.";
    let key =
        STANDARD.decode(secret.strip_prefix("whsec_").ok_or(invalid_secret)?).map_err(|_| invalid_secret)?;
    let mac = Hmac::<Sha256>::new_from_slice(&key).map_err(|_| invalid_secret)?;
    let signature = mac.chain_update(format!("{id}.{timestamp}.{body}")).finalize().into_bytes();
    Ok(format!("v1,{}", STANDARD.encode(signature)))
}

#[cfg(test)]
mod tests {
    use super::signature;

    #[test]
    fn signature_equals_the_example_of_the_standard() {
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
