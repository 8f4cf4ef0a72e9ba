//! Webhooks: `/webhook`.

use std::sync::Arc;

use poem::{
    Body, Request, Response, handler,
    http::StatusCode,
    web::{Data, Path},
};

use super::{
    json_body, json_response,
    list::Query,
    problem::{Problem, Subject, Violacao},
};
use crate::{
    State,
    bank::{Refused, Webhook},
    notify,
};

fn refused(refused: Refused) -> Problem {
    Problem::refused(Subject::Webhook, refused)
}

/// `PUT /webhook/{chave}`
#[handler]
pub(crate) async fn put(
    Path(chave): Path<String>,
    Data(state): Data<&Arc<State>>,
    body: Body,
) -> Result<Response, Problem> {
    let invalid = |violacao| Problem::invalid(Subject::Webhook, vec![violacao]);
    let body = json_body(body).await?;
    let url = body["webhookUrl"].as_str().unwrap_or_default();
    if !state.config.keys.contains(&chave) {
        return Err(invalid(Violacao::new("webhook.chave", chave, "a chave não é do usuário recebedor")));
    }
    if !url.starts_with("https://") && !url.starts_with("http://") {
        return Err(invalid(Violacao::new("webhook.webhookUrl", url, "não é uma URL")));
    }
    if let Err(razao) = notify::probe(state, url).await {
        return Err(invalid(Violacao::new("webhook.webhookUrl", url, razao)));
    }
    let webhook = state.bank().register(&chave, url).map_err(refused)?;
    Ok(json_response(StatusCode::OK, &webhook))
}

/// `GET /webhook/{chave}`
#[handler]
pub(crate) fn read(Path(chave): Path<String>, Data(state): Data<&Arc<State>>) -> Result<Response, Problem> {
    let bank = state.bank();
    let webhook = bank.webhook(&chave).ok_or_else(|| Problem::unknown(Subject::Webhook))?;
    Ok(json_response(StatusCode::OK, webhook))
}

/// `GET /webhook`
#[handler]
pub(crate) fn list(request: &Request, Data(state): Data<&Arc<State>>) -> Result<Response, Problem> {
    let query = Query::of(request, Subject::Webhook);
    let webhooks: Vec<Webhook> = state.bank().webhooks().cloned().collect();
    Ok(json_response(StatusCode::OK, &query.page("webhooks", &webhooks)?))
}

/// `DELETE /webhook/{chave}`
#[handler]
pub(crate) fn delete(
    Path(chave): Path<String>,
    Data(state): Data<&Arc<State>>,
) -> Result<StatusCode, Problem> {
    state.bank().unregister(&chave).map_err(refused)?;
    Ok(StatusCode::NO_CONTENT)
}
