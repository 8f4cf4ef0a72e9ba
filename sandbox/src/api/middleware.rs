//! The middleware of API Pix: fault injection and authorization.

use std::sync::Arc;

use poem::{
    Endpoint, IntoResponse, Request, Response,
    http::{Method, StatusCode},
};
use tokio::time::sleep;

use crate::{
    faults::RequestFault, http::error_response::ErrorResponse, oauth::AccessToken, state::SandboxState,
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
    let response = next.call(request).await?.into_response();
    let drops_response = response.is_success() && state.faults().api.drops_response(&operation);
    if drops_response {
        close_connection();
    }
    Ok(response)
}

/// Injects the faults that prevent the request from having an effect.
async fn inject_request_fault(state: &SandboxState, operation: &str) -> Result<(), ErrorResponse> {
    let delay = state.faults().api.delay(operation);
    sleep(delay).await;
    let fault = state.faults().api.next_request_fault(operation);
    match fault {
        None => Ok(()),
        Some(RequestFault::CloseConnection { after }) => {
            sleep(after).await;
            close_connection()
        }
        Some(RequestFault::Status(status)) => Err(injected_error(status)),
        Some(RequestFault::RateLimited { retry_after }) => Err(ErrorResponse::rate_limited(retry_after)),
        Some(RequestFault::TokenExpired) => Err(ErrorResponse::unauthorized()),
    }
}

/// Returns the scope that a request needs, such as `cob.write` for `PUT /cob/…`.
fn required_scope(method: &Method, path: &str) -> String {
    let resource = path.split('/').nth(1).unwrap_or_default();
    format!("{resource}.{}", if method == Method::GET { "read" } else { "write" })
}

fn injected_error(status: u16) -> ErrorResponse {
    let status = StatusCode::from_u16(status).unwrap_or(StatusCode::SERVICE_UNAVAILABLE);
    ErrorResponse::unnamed(status, "The fault settings of the sandbox cause this error.")
}

/// Closes the connection without a response.
fn close_connection() -> ! {
    // The server drops the connection of a task that unwinds. resume_unwind prints no panic message.
    std::panic::resume_unwind(Box::new("connection closed by a fault"));
}
