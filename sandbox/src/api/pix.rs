//! Received payments and their refunds: `/pix`.

use std::{sync::Arc, time::Duration};

use poem::{
    Body, Request, Response, handler,
    http::StatusCode,
    web::{Data, Path},
};
use tokio::time::sleep;

use super::{
    cob_body::amount,
    json_body, json_response,
    list::Query,
    problem::{Problem, Subject, Violacao},
};
use crate::{
    State,
    bank::{DevolucaoStatus, is_id},
};

/// `GET /pix/{e2eid}`
#[handler]
pub(crate) fn read(Path(id): Path<String>, Data(state): Data<&Arc<State>>) -> Result<Response, Problem> {
    let bank = state.bank();
    let pix = bank.pix(&id).ok_or_else(|| Problem::unknown(Subject::Pix))?;
    Ok(json_response(StatusCode::OK, pix))
}

/// `GET /pix`
#[handler]
pub(crate) fn list(request: &Request, Data(state): Data<&Arc<State>>) -> Result<Response, Problem> {
    let mut query = Query::of(request, Subject::Pix);
    let (start, end) = query.window();
    let txid: Option<String> = query.get("txid");
    let has_txid: Option<bool> = query.get("txIdPresente");
    let has_refund: Option<bool> = query.get("devolucaoPresente");
    let found = state.bank().all_pix(|pix| {
        (start..=end).contains(&pix.horario)
            && (txid.is_none() || pix.txid == txid)
            && has_txid.is_none_or(|has| has == pix.txid.is_some())
            && has_refund.is_none_or(|has| has != pix.devolucoes.is_empty())
    });
    Ok(json_response(StatusCode::OK, &query.page("pix", &found)?))
}

/// `PUT /pix/{e2eid}/devolucao/{id}`
#[handler]
pub(crate) async fn put_refund(
    Path((pix, id)): Path<(String, String)>,
    Data(state): Data<&Arc<State>>,
    body: Body,
) -> Result<Response, Problem> {
    let invalid = |violacao| Problem::invalid(Subject::Devolucao, vec![violacao]);
    if !is_id(&id, 1..=35) {
        return Err(invalid(Violacao::new("devolucao.id", id, "não está no formato [a-zA-Z0-9]{1,35}")));
    }
    let body = json_body(body).await?;
    let valor = &body["valor"];
    let valor =
        amount(valor).map_err(|razao| invalid(Violacao::new("devolucao.valor", valor.to_string(), razao)))?;
    let refund = state.bank().refund(&pix, &id, valor);
    let (refund, new) = refund.map_err(|refused| Problem::refused(Subject::Devolucao, refused))?;
    if new {
        state.spawn(settle_later(state.clone(), pix, id));
    }
    Ok(json_response(StatusCode::CREATED, &refund))
}

/// `GET /pix/{e2eid}/devolucao/{id}`
#[handler]
pub(crate) fn read_refund(
    Path((pix, id)): Path<(String, String)>,
    Data(state): Data<&Arc<State>>,
) -> Result<Response, Problem> {
    let bank = state.bank();
    let refund = bank.pix(&pix).and_then(|pix| pix.devolucao(&id));
    Ok(json_response(StatusCode::OK, refund.ok_or_else(|| Problem::unknown(Subject::Devolucao))?))
}

/// Settles a refund when its time has come, and tells.
pub(crate) async fn settle_later(state: Arc<State>, pix: String, id: String) {
    sleep(Duration::from_millis(state.config.refund_ms)).await;
    let fails = state.faults().api.devolucao_fails.strikes();
    let status = if fails { DevolucaoStatus::NaoRealizado } else { DevolucaoStatus::Devolvido };
    let settled = state.bank().settle(&pix, &id, status);
    match settled {
        Ok(()) => state.notify(&pix),
        Err(refused) => tracing::error!(?refused, pix, id, "the refund cannot be settled"),
    }
}
