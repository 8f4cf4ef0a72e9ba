//! Makes a problem of every error, whoever raised it, and of a panic.

use std::{panic::AssertUnwindSafe, time::Duration};

use futures_util::FutureExt;
use guildhall_common::contract::game::LeaseWait;
use poem::{
    Endpoint, Error, Request, Response, Result,
    error::{MethodNotAllowedError, NotFoundError, ResponseError},
    http::StatusCode,
};
use poem_openapi::error::{ContentTypeError, ParseParamError};
use serde::Deserialize;
use tokio::time::timeout;

use crate::{http::problem::Problem, middleware::Next, state::State};

/// For all that is no waiting. Each statement has a limit of its own, which a server that falls silent does not keep.
const ANSWER_WITHIN: Duration = Duration::from_secs(15);

/// What a long poll asks for in its query: seconds.
#[derive(Deserialize)]
struct LongPoll {
    wait: LeaseWait,
}

pub(super) async fn catch(next: Next, request: Request) -> Result<Response> {
    let limit = ANSWER_WITHIN + waits(&request);
    let answer = AssertUnwindSafe(timeout(limit, next.call(request))).catch_unwind().await;
    Ok(match answer {
        Ok(Ok(Ok(response))) => response,
        Ok(Ok(Err(error))) => respond(error),
        Ok(Err(_)) => {
            let detail = "It took too long. What it was to change may be changed; try again with the same Idempotency-Key.";
            Problem::unavailable("too_slow", detail).as_response()
        }
        Err(_) => Problem::fault("a request panicked", &"see the line before").as_response(),
    })
}

/// How long this may wait: for an outcome, and for deliveries.
fn waits(request: &Request) -> Duration {
    let outcome = request.data::<State>().map_or(Duration::ZERO, |state| state.commands.wait);
    let asked = request.params().map_or(0, |LongPoll { wait }| wait.get().unsigned_abs());
    outcome + Duration::from_secs(asked)
}

pub(super) fn respond(error: Error) -> Response {
    if error.is_from_response() {
        return error.into_response();
    }
    problem(&error).as_response()
}

fn problem(error: &Error) -> Problem {
    if let Some(problem) = error.downcast_ref::<Problem>() {
        return problem.clone();
    }
    if let Some(error) = error.downcast_ref::<ParseParamError>() {
        return Problem::invalid(error.name, &error.reason);
    }
    if error.downcast_ref::<NotFoundError>().is_some() {
        return Problem::not_found("no_such_path", "There is nothing at this path.");
    }
    if error.downcast_ref::<MethodNotAllowedError>().is_some() {
        return Problem::method_not_allowed();
    }
    if let Some(error) = error.downcast_ref::<ContentTypeError>() {
        return Problem::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "unsupported_media_type", error.to_string());
    }
    match error.status() {
        status if status.is_client_error() => Problem::new(status, "bad_request", error.to_string()),
        _ => Problem::fault("an error without a name", error),
    }
}
