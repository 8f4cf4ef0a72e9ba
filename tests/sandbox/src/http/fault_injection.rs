//! The injection of the faults of a request.

use poem::http::StatusCode;
use tokio::time::sleep;

use crate::{faults::RequestFault, http::error_response::ErrorResponse, state::SandboxState};

/// Injects the faults that prevent the request from having an effect.
pub(crate) async fn inject_request_fault(state: &SandboxState, operation: &str) -> Result<(), ErrorResponse> {
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

fn injected_error(status: u16) -> ErrorResponse {
    let status = StatusCode::from_u16(status).unwrap_or(StatusCode::SERVICE_UNAVAILABLE);
    ErrorResponse::unnamed(status, "The fault settings of the sandbox cause this error.")
}

/// Closes the connection without a response.
pub(crate) fn close_connection() -> ! {
    // The server drops the connection of a task that unwinds. resume_unwind prints no panic message.
    std::panic::resume_unwind(Box::new("connection closed by a fault"));
}
