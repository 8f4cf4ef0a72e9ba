//! The middleware of API Pix: fault injection and authorization.

use std::sync::Arc;

use poem::{Endpoint, IntoResponse, Request, Response, http::Method};

use crate::{
    api::loose_json::loosen,
    http::{
        error_response::ErrorResponse,
        fault_injection::{close_connection, inject_request_fault},
    },
    oauth::AccessToken,
    state::SandboxState,
};

/// Injects faults, and checks the access token and its scopes.
pub(super) async fn authorize(
    state: Arc<SandboxState>,
    next: Arc<impl Endpoint>,
    request: Request,
) -> poem::Result<Response> {
    let operation = format!("{} {}", request.method(), request.uri().path());
    tracing::debug!(operation, "request received");
    inject_request_fault(&state, &operation).await?;
    let token = AccessToken::from_headers(request.headers(), &state.config)
        .ok_or_else(ErrorResponse::unauthorized)?;
    let scope = required_scope(request.method(), request.uri().path());
    if !token.has_scope(&scope) {
        return Err(ErrorResponse::missing_scope(&scope).into());
    }
    let mut response = next.call(request).await?.into_response();
    let loosens_json = response.is_success() && state.faults().api.loosens_json(&operation);
    if loosens_json {
        response = loosen(response).await;
    }
    let drops_response = response.is_success() && state.faults().api.drops_response(&operation);
    if drops_response {
        close_connection();
    }
    Ok(response)
}

/// Returns the scope that a request needs, such as `cob.write` for `PUT /cob/…`.
fn required_scope(method: &Method, path: &str) -> String {
    let resource = path.split('/').nth(1).unwrap_or_default();
    format!("{resource}.{}", if method == Method::GET { "read" } else { "write" })
}
