//! Webhooks: `/webhook`.

use std::sync::Arc;

use poem::{
    Body, Request, Response, handler,
    http::StatusCode,
    web::{Data, Path},
};

use super::{json_body::read_json, list_query::ListQuery};
use crate::{
    bank::{BankError, Webhook},
    http::{
        error_response::{ErrorResponse, Resource, Violation},
        json::json_response,
    },
    notifications::probe_webhook,
    state::SandboxState,
};

fn bank_error(error: BankError) -> ErrorResponse {
    ErrorResponse::from_bank_error(Resource::Webhook, error)
}

/// `PUT /webhook/{chave}`
#[handler]
pub(super) async fn put(
    Path(key): Path<String>,
    Data(state): Data<&Arc<SandboxState>>,
    body: Body,
) -> Result<Response, ErrorResponse> {
    let invalid = |violation| ErrorResponse::invalid_operation(Resource::Webhook, vec![violation]);
    let body = read_json(body).await?;
    let url = body["webhookUrl"].as_str().unwrap_or_default();
    if !state.config.keys.contains(&key) {
        return Err(invalid(Violation::new("webhook.chave", key, "is not a key of the receiver")));
    }
    if !url.starts_with("https://") && !url.starts_with("http://") {
        return Err(invalid(Violation::new("webhook.webhookUrl", url, "is not a URL")));
    }
    if let Err(reason) = probe_webhook(state, url).await {
        return Err(invalid(Violation::new("webhook.webhookUrl", url, reason)));
    }
    let webhook = state.bank().register_webhook(&key, url).map_err(bank_error)?;
    Ok(json_response(StatusCode::OK, &webhook))
}

/// `GET /webhook/{chave}`
#[handler]
pub(super) fn read(
    Path(key): Path<String>,
    Data(state): Data<&Arc<SandboxState>>,
) -> Result<Response, ErrorResponse> {
    let bank = state.bank();
    let webhook = bank.webhook(&key).ok_or_else(|| ErrorResponse::not_found(Resource::Webhook))?;
    Ok(json_response(StatusCode::OK, webhook))
}

/// `GET /webhook`
#[handler]
pub(super) fn list(
    request: &Request,
    Data(state): Data<&Arc<SandboxState>>,
) -> Result<Response, ErrorResponse> {
    let query = ListQuery::new(request, Resource::Webhook);
    let webhooks: Vec<Webhook> = state.bank().webhooks().cloned().collect();
    Ok(json_response(StatusCode::OK, &query.into_page("webhooks", &webhooks)?))
}

/// `DELETE /webhook/{chave}`
#[handler]
pub(super) fn delete(
    Path(key): Path<String>,
    Data(state): Data<&Arc<SandboxState>>,
) -> Result<StatusCode, ErrorResponse> {
    state.bank().remove_webhook(&key).map_err(bank_error)?;
    Ok(StatusCode::NO_CONTENT)
}
