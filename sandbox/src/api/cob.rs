//! Charges: `/cob`.

use std::sync::Arc;

use poem::{
    Body, Request, Response, handler,
    http::StatusCode,
    web::{Data, Path},
};
use serde_json::{Value, json};
use tokio::time::{Duration, sleep};
use uuid::Uuid;

use super::{
    cob_body, json_body, json_response,
    list::Query,
    problem::{Problem, Subject, Violacao},
};
use crate::{
    State,
    bank::{Cob, Payment, Pedido, Refused, is_id, random},
};

fn refused(refused: Refused) -> Problem {
    Problem::refused(Subject::Cob, refused)
}

fn invalid(violacoes: Vec<Violacao>) -> Problem {
    Problem::invalid(Subject::Cob, violacoes)
}

/// `PUT /cob/{txid}`
#[handler]
pub(crate) async fn put(
    Path(txid): Path<String>,
    Data(state): Data<&Arc<State>>,
    body: Body,
) -> Result<Response, Problem> {
    if !is_id(&txid, 26..=35) {
        return Err(invalid(vec![Violacao::new("cob.txid", txid, "não está no formato [a-zA-Z0-9]{26,35}")]));
    }
    make(state, &txid, body).await
}

/// `POST /cob`
#[handler]
pub(crate) async fn create(Data(state): Data<&Arc<State>>, body: Body) -> Result<Response, Problem> {
    make(state, &random(32), body).await
}

async fn make(state: &State, txid: &str, body: Body) -> Result<Response, Problem> {
    let pedido = cob_body::read(&json_body(body).await?, &state.config.keys).map_err(invalid)?;
    let cob = state.bank().create(txid, pedido, &state.config).map_err(refused)?;
    let view = view(state, &cob);
    pay_before_answer(state, &cob).await?;
    Ok(json_response(StatusCode::CREATED, &view))
}

/// A fault: money arrives, and is told, before the receiver knows that there is a charge.
async fn pay_before_answer(state: &State, cob: &Cob) -> Result<(), Problem> {
    let strikes = state.faults().notifications.before_created.strikes();
    if !strikes {
        return Ok(());
    }
    let wait = Duration::from_millis(state.faults().notifications.before_created_ms);
    let payment = Payment::now(cob.pedido.valor.original);
    let paid = state.bank().pay(&cob.txid, vec![payment]).map_err(refused)?;
    paid.iter().for_each(|pix| state.notify(&pix.end_to_end_id));
    sleep(wait).await;
    Ok(())
}

/// `PATCH /cob/{txid}`
#[handler]
pub(crate) async fn patch(
    Path(txid): Path<String>,
    Data(state): Data<&Arc<State>>,
    body: Body,
) -> Result<Response, Problem> {
    let changes = json_body(body).await?;
    let remove = match changes["status"].as_str() {
        None => false,
        Some("REMOVIDA_PELO_USUARIO_RECEBEDOR") => true,
        Some(other) => return Err(invalid(vec![Violacao::new("cob.status", other, "não pode ser pedido")])),
    };
    let cob = {
        let mut bank = state.bank();
        let present = bank.cob(&txid).ok_or_else(|| Problem::unknown(Subject::Cob))?;
        let pedido = patched(&present.pedido, &changes, &state.config.keys)?;
        bank.revise(&txid, pedido, remove).map_err(refused)?
    };
    Ok(json_response(StatusCode::OK, &view(state, &cob)))
}

fn patched(present: &Pedido, changes: &Value, keys: &[String]) -> Result<Pedido, Problem> {
    let mut body = json!(present);
    for (name, value) in changes.as_object().into_iter().flatten() {
        body[name] = value.clone();
    }
    cob_body::read(&body, keys).map_err(invalid)
}

/// `GET /cob/{txid}`
#[handler]
pub(crate) fn read(Path(txid): Path<String>, Data(state): Data<&Arc<State>>) -> Result<Response, Problem> {
    let cob = state.bank().cob(&txid).cloned().ok_or_else(|| Problem::unknown(Subject::Cob))?;
    let mut view = view(state, &cob);
    if state.faults().api.wrong_chave.strikes() {
        view["chave"] = json!(Uuid::new_v4());
    }
    Ok(json_response(StatusCode::OK, &view))
}

/// `GET /cob`
#[handler]
pub(crate) fn list(request: &Request, Data(state): Data<&Arc<State>>) -> Result<Response, Problem> {
    let mut query = Query::of(request, Subject::Cob);
    let (start, end) = query.window();
    let status: Option<String> = query.get("status");
    let cpf: Option<String> = query.get("cpf");
    let cnpj: Option<String> = query.get("cnpj");
    let found = state.bank().cobs(|cob| {
        let devedor = cob.pedido.devedor.as_ref();
        (start..=end).contains(&cob.criacao)
            && status.as_ref().is_none_or(|status| json!(cob.status) == *status)
            && (cpf.is_none() || devedor.is_some_and(|devedor| devedor.cpf == cpf))
            && (cnpj.is_none() || devedor.is_some_and(|devedor| devedor.cnpj == cnpj))
    });
    let views: Vec<Value> = found.iter().map(|cob| view(state, cob)).collect();
    Ok(json_response(StatusCode::OK, &query.page("cobs", &views)?))
}

fn view(state: &State, cob: &Cob) -> Value {
    cob.view(&state.bank().received_for(&cob.txid))
}
