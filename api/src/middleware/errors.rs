//! Converts every error, timeout and panic into a problem response.

use std::{panic::AssertUnwindSafe, time::Duration};

use futures_util::FutureExt;
use guildhall_common::contract::game::LeaseWait;
use poem::{
    Error, Request, Response, Result,
    error::{MethodNotAllowedError, NotFoundError, ResponseError},
    http::{HeaderValue, StatusCode, header},
};
use poem_openapi::error::ContentTypeError;
use serde::Deserialize;
use tokio::time::timeout;

use crate::http::{
    problem::Problem,
    route_policy::{RoutePolicy, TimeLimit},
};

/// The time limit of a response, without waits for an outcome or for a long poll. Each SQL statement has its own
/// limit, but the database enforces it: a frozen database does not.
const TIMEOUT: Duration = Duration::from_secs(15);

/// The query of a long poll, in seconds.
#[derive(Deserialize)]
struct LongPoll {
    wait: LeaseWait,
}

/// The response to a request, or a problem if the request fails, panics or exceeds the limit.
pub(super) async fn catch(limit: Duration, response: impl Future<Output = Result<Response>>) -> Response {
    match AssertUnwindSafe(timeout(limit, response)).catch_unwind().await {
        Ok(Ok(Ok(response))) => response,
        Ok(Ok(Err(error))) => error_response(error),
        Ok(Err(_)) => {
            let detail = "The request took too long. Its change may be in effect. Try again with the same Idempotency-Key.";
            Problem::unavailable("too_slow", detail).as_response()
        }
        Err(_) => Problem::internal("a request panicked", &"the line before has the panic").as_response(),
    }
}

/// The time limit of a request, if an outcome may take this long.
pub(super) fn time_limit(request: &Request, policy: &RoutePolicy, outcome: Duration) -> Duration {
    let long_poll = match policy.time_limit {
        TimeLimit::Standard => 0,
        TimeLimit::LongPoll => request.params().map_or(0, |LongPoll { wait }| wait.get().unsigned_abs()),
    };
    TIMEOUT + outcome + Duration::from_secs(long_poll)
}

/// The response to an error of any step.
pub(super) fn error_response(error: Error) -> Response {
    if error.is_from_response() {
        return error.into_response();
    }
    let mut response = problem(&error).as_response();
    if error.downcast_ref::<MethodNotAllowedError>().is_some() {
        // The routes outside the OpenAPI document, which have only reads.
        response.headers_mut().insert(header::ALLOW, HeaderValue::from_static("GET, HEAD"));
    }
    response
}

fn problem(error: &Error) -> Problem {
    if let Some(problem) = error.downcast_ref::<Problem>() {
        return problem.clone();
    }
    if error.downcast_ref::<NotFoundError>().is_some() {
        return Problem::not_found("no_such_path", "The API does not have this path.");
    }
    if error.downcast_ref::<MethodNotAllowedError>().is_some() {
        return Problem::method_not_allowed();
    }
    if let Some(error) = error.downcast_ref::<ContentTypeError>() {
        return Problem::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "unsupported_media_type", error.to_string());
    }
    match error.status() {
        status if status.is_client_error() => Problem::new(status, "bad_request", error.to_string()),
        _ => Problem::internal("an unknown error reached the middleware", error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::http::route_policy;

    fn limit_of(uri: &'static str) -> Duration {
        let request = Request::builder().uri(poem::http::Uri::from_static(uri)).finish();
        time_limit(&request, route_policy::of(request.uri().path()), Duration::ZERO)
    }

    #[test]
    fn only_a_long_poll_extends_the_time_limit() {
        assert_eq!(limit_of("/game/deliveries?wait=20"), TIMEOUT + Duration::from_secs(20));
        assert_eq!(limit_of("/game/deliveries?wait=soon"), TIMEOUT);
        assert_eq!(limit_of("/game/deliveries"), TIMEOUT);
        assert_eq!(limit_of("/guilds/1/20?wait=20"), TIMEOUT);
    }
}
