//! Errors of the control API. They have no error names of API Pix.

use poem::http::StatusCode;

use crate::{bank::BankError, http::error_response::ErrorResponse};

/// Returns 404, 409 or 500. API Pix returns 400 where this returns 409.
pub(super) fn bank_error(error: BankError) -> ErrorResponse {
    match error {
        BankError::NotFound => {
            ErrorResponse::unnamed(StatusCode::NOT_FOUND, "The charge or payment does not exist.")
        }
        BankError::RuleViolated { property, reason } => {
            ErrorResponse::unnamed(StatusCode::CONFLICT, format!("{property}: {reason}"))
        }
        BankError::LogWriteFailed(error) => {
            let detail = format!("The append-only log cannot be written: {error}");
            ErrorResponse::unnamed(StatusCode::INTERNAL_SERVER_ERROR, detail)
        }
    }
}

pub(super) fn bad_request(detail: impl Into<String>) -> ErrorResponse {
    ErrorResponse::unnamed(StatusCode::BAD_REQUEST, detail)
}
