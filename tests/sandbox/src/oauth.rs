//! OAuth 2.0 client credentials (RFC 6749 §4.4).

use std::sync::Arc;

use base64::{
    Engine,
    engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD},
};
use chrono::{DateTime, TimeDelta, Utc};
use hmac::{Hmac, KeyInit, Mac};
use poem::{
    Response, handler,
    http::{HeaderMap, StatusCode, header},
    web::{Data, Form},
};
use serde::{Deserialize, Serialize};
use serde_json::json;
use sha2::Sha256;

use crate::{
    config::Config,
    faults::TOKEN_OPERATION,
    http::{error_response::ErrorResponse, fault_injection::inject_request_fault, json::json_response},
    state::SandboxState,
};

/// An access token. It holds its scopes and expiry, signed with the client's secret, so it stays valid after
/// a restart.
#[derive(Serialize, Deserialize)]
pub(crate) struct AccessToken {
    scopes: Vec<String>,
    expires: DateTime<Utc>,
}

impl AccessToken {
    /// Returns the token of a request, if there is one and it is valid.
    pub(crate) fn from_headers(headers: &HeaderMap, config: &Config) -> Option<Self> {
        let token = credentials(headers, "Bearer")?;
        let (claims, signature) = token.split_once('.')?;
        let signature = URL_SAFE_NO_PAD.decode(signature).ok()?;
        mac_of_claims(config, claims)?.verify_slice(&signature).ok()?;
        let token: Self = serde_json::from_slice(&URL_SAFE_NO_PAD.decode(claims).ok()?).ok()?;
        (token.expires > Utc::now()).then_some(token)
    }

    pub(crate) fn has_scope(&self, scope: &str) -> bool {
        self.scopes.iter().any(|granted| granted == scope)
    }

    fn sign(&self, config: &Config) -> Option<String> {
        let claims = URL_SAFE_NO_PAD.encode(serde_json::to_vec(self).ok()?);
        let signature = mac_of_claims(config, &claims)?.finalize().into_bytes();
        Some(format!("{claims}.{}", URL_SAFE_NO_PAD.encode(signature)))
    }
}

fn mac_of_claims(config: &Config, claims: &str) -> Option<Hmac<Sha256>> {
    let mac = Hmac::<Sha256>::new_from_slice(config.client_secret.as_bytes()).ok()?;
    Some(mac.chain_update(claims))
}

fn credentials<'a>(headers: &'a HeaderMap, scheme: &str) -> Option<&'a str> {
    let (found, credentials) = headers.get(header::AUTHORIZATION)?.to_str().ok()?.split_once(' ')?;
    found.eq_ignore_ascii_case(scheme).then_some(credentials)
}

/// The form of `POST /oauth/token`.
#[derive(Deserialize)]
pub(crate) struct TokenRequest {
    #[serde(default)]
    grant_type: String,
    scope: Option<String>,
    client_id: Option<String>,
    client_secret: Option<String>,
}

/// `POST /oauth/token`
#[handler]
pub(crate) async fn issue_token(
    headers: &HeaderMap,
    Form(request): Form<TokenRequest>,
    Data(state): Data<&Arc<SandboxState>>,
) -> Result<Response, ErrorResponse> {
    inject_request_fault(state, TOKEN_OPERATION).await?;
    Ok(token_response(headers, &request, &state.config))
}

fn token_response(headers: &HeaderMap, request: &TokenRequest, config: &Config) -> Response {
    let client =
        basic_credentials(headers).or_else(|| request.client_id.clone().zip(request.client_secret.clone()));
    if client != Some((config.client_id.clone(), config.client_secret.clone())) {
        return token_error(StatusCode::UNAUTHORIZED, "invalid_client");
    }
    if request.grant_type != "client_credentials" {
        return token_error(StatusCode::BAD_REQUEST, "unsupported_grant_type");
    }
    let requested = request.scope.as_deref().unwrap_or_default().split_whitespace().map(str::to_owned);
    let scopes: Vec<String> = requested.collect();
    let scopes = if scopes.is_empty() { config.scopes.clone() } else { scopes };
    if scopes.iter().any(|scope| !config.scopes.contains(scope)) {
        return token_error(StatusCode::BAD_REQUEST, "invalid_scope");
    }
    let scope = scopes.join(" ");
    let token = AccessToken { scopes, expires: Utc::now() + TimeDelta::seconds(config.token_seconds.into()) };
    let body = json!({
        "access_token": token.sign(config), "token_type": "Bearer", "expires_in": config.token_seconds, "scope": scope
    });
    json_response(StatusCode::OK, &body)
}

fn basic_credentials(headers: &HeaderMap) -> Option<(String, String)> {
    let decoded = String::from_utf8(STANDARD.decode(credentials(headers, "Basic")?).ok()?).ok()?;
    let (id, secret) = decoded.split_once(':')?;
    Some((id.to_owned(), secret.to_owned()))
}

fn token_error(status: StatusCode, error: &str) -> Response {
    json_response(status, &json!({ "error": error }))
}
