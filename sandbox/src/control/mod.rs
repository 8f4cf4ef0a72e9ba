//! What the sandbox has beside API Pix: its page, its payers, its faults.

mod pay;
mod signed;

use std::sync::Arc;

use poem::{
    IntoResponse, Response, Route, get, handler,
    http::StatusCode,
    post,
    web::{Data, Html, Json, Query},
};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::{
    State,
    api::{Problem, json_response},
    bank::Refused,
    faults::Faults,
    lock,
};

pub(crate) fn routes() -> Route {
    Route::new()
        .at("/pay", post(pay::pay_charge))
        .at("/pay-static", post(pay::pay_static))
        .at("/reverse", post(pay::take_back))
        .at("/notify", post(pay::repeat))
        .at("/signed", post(signed::send_signed))
        .at("/faults", get(read_faults).put(set_faults))
        .at("/charges", get(charges))
        .at("/notifications", get(notifications))
}

/// As at the API, but in English and with 409 where a rule says no.
fn refused(refused: Refused) -> Problem {
    match refused {
        Refused::Unknown => Problem::plain(StatusCode::NOT_FOUND, "There is no such thing."),
        Refused::Rule { razao, propriedade } => {
            Problem::plain(StatusCode::CONFLICT, format!("{propriedade}: {razao}"))
        }
        Refused::Journal(error) => {
            Problem::plain(StatusCode::INTERNAL_SERVER_ERROR, format!("the journal: {error}"))
        }
    }
}

fn bad(detail: &str) -> Problem {
    Problem::plain(StatusCode::BAD_REQUEST, detail)
}

/// `GET /`
#[handler]
pub(crate) fn page() -> impl IntoResponse {
    let policy =
        "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; connect-src 'self'";
    Html(include_str!("page.html")).with_header("Content-Security-Policy", policy)
}

/// `GET /sandbox/faults`
#[handler]
fn read_faults(Data(state): Data<&Arc<State>>) -> Response {
    json_response(StatusCode::OK, &*state.faults())
}

/// `PUT /sandbox/faults`
#[handler]
fn set_faults(Json(faults): Json<Faults>, Data(state): Data<&Arc<State>>) -> Response {
    *state.faults() = faults.clone();
    json_response(StatusCode::OK, &faults)
}

#[derive(Deserialize)]
struct Most {
    #[serde(default = "hundred")]
    limit: usize,
    /// This charge alone.
    txid: Option<String>,
}

fn hundred() -> usize {
    100
}

/// `GET /sandbox/charges`: the newest charges with what was received for them, and the newest Pix without one.
#[handler]
fn charges(Query(most): Query<Most>, Data(state): Data<&Arc<State>>) -> Response {
    let bank = state.bank();
    let cobs = bank.cobs(|cob| most.txid.as_ref().is_none_or(|txid| *txid == cob.txid));
    let newest = cobs.iter().rev().take(most.limit);
    let charges: Vec<Value> = newest.map(|cob| cob.view(&bank.received_for(&cob.txid))).collect();
    let known = |txid: &String| bank.cob(txid).is_some();
    let mut other = bank.all_pix(|pix| !pix.txid.as_ref().is_some_and(known));
    other.reverse();
    other.truncate(most.limit);
    json_response(StatusCode::OK, &json!({ "charges": charges, "other_pix": other }))
}

/// `GET /sandbox/notifications`: attempts to notify, the newest first.
#[handler]
fn notifications(Query(most): Query<Most>, Data(state): Data<&Arc<State>>) -> Response {
    let attempts = lock(&state.attempts);
    let newest: Vec<_> = attempts.iter().take(most.limit).collect();
    json_response(StatusCode::OK, &json!({ "notifications": newest }))
}
