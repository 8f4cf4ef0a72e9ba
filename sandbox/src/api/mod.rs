//! API Pix: who may call, what goes wrong on demand, and where calls go.

mod cob;
mod cob_body;
mod list;
mod pix;
mod problem;
mod webhook;

use std::{sync::Arc, time::Duration};

use poem::{
    Endpoint, EndpointExt, IntoResponse, Request, Response, Route, get,
    http::{Method, StatusCode},
};
use serde::Serialize;
use serde_json::Value;
use tokio::time::sleep;

pub(crate) use self::{
    cob_body::person,
    pix::settle_later,
    problem::{Problem, any_problem},
};
use crate::{State, faults::CallFault, oauth::Token};

/// The most that a request may carry.
const BODY: usize = 64 * 1024;

pub(crate) fn routes(state: &Arc<State>) -> impl Endpoint + use<> {
    let state = state.clone();
    Route::new()
        .at("/cob", get(cob::list).post(cob::create))
        .at("/cob/:txid", get(cob::read).put(cob::put).patch(cob::patch))
        .at("/pix", get(pix::list))
        .at("/pix/:e2eid", get(pix::read))
        .at("/pix/:e2eid/devolucao/:id", get(pix::read_refund).put(pix::put_refund))
        .at("/webhook", get(webhook::list))
        .at("/webhook/:chave", get(webhook::read).put(webhook::put).delete(webhook::delete))
        .around(move |next, request| gate(state.clone(), next, request))
}

/// What happens to every call before and after it does something.
async fn gate(state: Arc<State>, next: Arc<impl Endpoint>, request: Request) -> poem::Result<Response> {
    let call = format!("{} {}", request.method(), request.uri().path());
    tracing::debug!(call, "called");
    let slowness = state.faults().api.slowness(&call);
    sleep(slowness).await;
    let fault = state.faults().api.strike(&call);
    match fault {
        Some(CallFault::Cut(after)) => cut(after).await,
        Some(CallFault::Status(status)) => return Err(faulty(status).into()),
        Some(CallFault::RateLimited(retry_after)) => return Err(Problem::rate_limited(retry_after).into()),
        Some(CallFault::TokenExpired) => return Err(Problem::unauthorized().into()),
        None => {}
    }
    let token = Token::of(request.headers(), &state.config).ok_or_else(Problem::unauthorized)?;
    let scope = scope(request.method(), request.uri().path());
    if !token.may(&scope) {
        return Err(Problem::forbidden(&scope).into());
    }
    let response = next.call(request).await?.into_response();
    let cuts = response.is_success() && state.faults().api.cuts(&call);
    if cuts {
        cut(Duration::ZERO).await;
    }
    Ok(response)
}

/// The scope that a call needs: `cob.write` for `PUT /cob/…`.
fn scope(method: &Method, path: &str) -> String {
    let area = path.split('/').nth(1).unwrap_or_default();
    format!("{area}.{}", if method == Method::GET { "read" } else { "write" })
}

fn faulty(status: u16) -> Problem {
    let status = StatusCode::from_u16(status).unwrap_or(StatusCode::SERVICE_UNAVAILABLE);
    Problem::plain(status, "O serviço não está disponível no momento.")
}

/// Closes the connection without an answer.
async fn cut(after: Duration) {
    sleep(after).await;
    // A task that unwinds drops its connection; this way of unwinding says nothing on standard error.
    std::panic::resume_unwind(Box::new("the connection is cut by a fault"));
}

pub(crate) fn json_response(status: StatusCode, body: &impl Serialize) -> Response {
    let body = serde_json::to_vec(body).unwrap_or_default();
    Response::builder().status(status).content_type("application/json").body(body)
}

async fn json_body(body: poem::Body) -> Result<Value, Problem> {
    let bytes = body.into_bytes_limit(BODY).await.map_err(|error| Problem::bad_request(error.to_string()))?;
    serde_json::from_slice(&bytes).map_err(|error| Problem::bad_request(error.to_string()))
}
