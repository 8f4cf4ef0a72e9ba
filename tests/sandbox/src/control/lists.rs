//! Lists of charges, payments and notification attempts, newest first.

use std::sync::Arc;

use poem::{
    Response, handler,
    http::StatusCode,
    web::{Data, Query},
};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::{http::json::json_response, state::SandboxState};

/// The query of both lists.
#[derive(Deserialize)]
struct ListParameters {
    #[serde(default = "default_limit")]
    limit: usize,
    /// Lists only the charge with this txid.
    txid: Option<String>,
}

fn default_limit() -> usize {
    100
}

/// `GET /sandbox/charges`: charges with their payments, and payments that belong to no charge.
#[handler]
pub(super) fn charges(
    Query(parameters): Query<ListParameters>,
    Data(state): Data<&Arc<SandboxState>>,
) -> Response {
    let bank = state.bank();
    let found = bank.find_charges(|charge| parameters.txid.as_ref().is_none_or(|txid| *txid == charge.txid));
    let newest = found.iter().rev().take(parameters.limit);
    let charges: Vec<Value> =
        newest.map(|charge| charge.to_api_json(&bank.payments_of_charge(&charge.txid))).collect();
    let has_charge = |txid: &String| bank.charge(txid).is_some();
    let mut other = bank.find_payments(|payment| !payment.txid.as_ref().is_some_and(has_charge));
    other.reverse();
    other.truncate(parameters.limit);
    json_response(StatusCode::OK, &json!({ "charges": charges, "other_pix": other }))
}

/// `GET /sandbox/notifications`: attempts to send a notification.
#[handler]
pub(super) fn notifications(
    Query(parameters): Query<ListParameters>,
    Data(state): Data<&Arc<SandboxState>>,
) -> Response {
    let attempts = state.latest_attempts(parameters.limit);
    json_response(StatusCode::OK, &json!({ "notifications": attempts }))
}
