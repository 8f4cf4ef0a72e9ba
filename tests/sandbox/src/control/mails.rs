//! The received mails.

use std::{sync::Arc, time::Duration};

use poem::{
    IntoResponse, Response, handler,
    http::StatusCode,
    web::{Data, Path, Query},
};
use serde::Deserialize;
use serde_json::json;

use super::errors::bad_request;
use crate::{
    http::{error_response::ErrorResponse, json::json_response},
    mail::{mail_store::ReceivedMailFilter, received_mail::ReceivedMail},
    state::SandboxState,
};

/// The longest time that a request waits for a mail, in seconds.
const MAX_WAIT: u64 = 30;

/// The query of `GET /sandbox/mails`.
#[derive(Deserialize)]
struct MailQuery {
    /// Lists only the mails to this recipient.
    to: Option<String>,
    /// Lists only mails with a greater id.
    #[serde(default)]
    after: u64,
    #[serde(default = "default_limit")]
    limit: usize,
    /// The longest time to wait for a mail, in seconds.
    #[serde(default)]
    wait: u64,
}

fn default_limit() -> usize {
    100
}

/// `GET /sandbox/mails`: mails, newest first. With `wait`, it responds when there is at least one mail.
#[handler]
pub(super) async fn list(
    Query(query): Query<MailQuery>,
    Data(state): Data<&Arc<SandboxState>>,
) -> Result<Response, ErrorResponse> {
    if query.wait > MAX_WAIT {
        return Err(bad_request(format!("wait is too long. It must be at most {MAX_WAIT} seconds.")));
    }
    let to = query.to.filter(|to| !to.is_empty());
    let filter = ReceivedMailFilter { to, after: query.after, limit: query.limit };
    let mails = state.mails.wait_for(&filter, Duration::from_secs(query.wait)).await;
    let mails: Vec<&ReceivedMail> = mails.iter().map(AsRef::as_ref).collect();
    Ok(json_response(StatusCode::OK, &json!({ "mail_address": state.mail_address, "mails": mails })))
}

/// `DELETE /sandbox/mails`
#[handler]
pub(super) fn clear(Data(state): Data<&Arc<SandboxState>>) -> StatusCode {
    state.mails.clear();
    StatusCode::NO_CONTENT
}

/// `GET /sandbox/mails/{id}`
#[handler]
pub(super) fn read(
    Path(id): Path<u64>,
    Data(state): Data<&Arc<SandboxState>>,
) -> Result<Response, ErrorResponse> {
    Ok(json_response(StatusCode::OK, find(state, id)?.as_ref()))
}

/// `GET /sandbox/mails/{id}/source`: the mail as it was received.
#[handler]
pub(super) fn read_source(
    Path(id): Path<u64>,
    Data(state): Data<&Arc<SandboxState>>,
) -> Result<Response, ErrorResponse> {
    let source = find(state, id)?.source.clone();
    let source = source.with_content_type("text/plain; charset=utf-8");
    Ok(source.with_header("X-Content-Type-Options", "nosniff").into_response())
}

fn find(state: &SandboxState, id: u64) -> Result<Arc<ReceivedMail>, ErrorResponse> {
    let missing = || ErrorResponse::unnamed(StatusCode::NOT_FOUND, "The mail does not exist.");
    state.mails.find(id).ok_or_else(missing)
}
