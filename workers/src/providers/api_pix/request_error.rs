//! The result of one attempt at a request to the bank.

use std::time::Duration;

use reqwest::{Response, StatusCode, header::RETRY_AFTER};

use crate::providers::{api_pix::responses::ProblemDetails, provider_error::ProviderError};

/// Why an attempt failed, and whether a retry can help.
pub(super) enum RequestError {
    /// The bank has responded: a retry does not help.
    Final(ProviderError),
    /// The bank rejected the attempt for now and is healthy. Retry, after the delay that the bank requires.
    Rejected { reason: String, retry_after: Option<Duration> },
    /// The bank failed or could not be reached. Retry.
    Failed { reason: String, retry_after: Option<Duration> },
    /// The request was not sent: too many requests wait.
    NotSent(&'static str),
}

impl From<reqwest::Error> for RequestError {
    fn from(error: reqwest::Error) -> Self {
        Self::Failed { reason: format!("{:#}", anyhow::Error::new(error)), retry_after: None }
    }
}

/// Reads the body of a successful response. Any other status becomes an error.
pub(super) async fn read_response(response: Response) -> Result<Vec<u8>, RequestError> {
    let status = response.status();
    let retry_after = retry_after(&response);
    let body = response.bytes().await?;
    if status.is_success() {
        return Ok(body.into());
    }
    let problem: ProblemDetails = serde_json::from_slice(&body).unwrap_or_default();
    let reason = format!("{status} {} {}", problem.title, problem.detail);
    Err(status_error(status, reason, retry_after))
}

/// The delay that the bank requires, in seconds. A date is ignored.
pub(super) fn retry_after(response: &Response) -> Option<Duration> {
    let value = response.headers().get(RETRY_AFTER)?;
    value.to_str().ok()?.parse().ok().map(Duration::from_secs)
}

fn status_error(status: StatusCode, reason: String, retry_after: Option<Duration>) -> RequestError {
    match status {
        StatusCode::NOT_FOUND => RequestError::Final(ProviderError::NotFound),
        // 401 and 403 concern the site's settings and not the one payment: an operator must correct the settings.
        StatusCode::UNAUTHORIZED
        | StatusCode::FORBIDDEN
        | StatusCode::REQUEST_TIMEOUT
        | StatusCode::LOCKED
        | StatusCode::TOO_EARLY
        | StatusCode::TOO_MANY_REQUESTS => RequestError::Rejected { reason, retry_after },
        status if status.is_client_error() => RequestError::Final(ProviderError::Refused(reason)),
        _ => RequestError::Failed { reason, retry_after },
    }
}
