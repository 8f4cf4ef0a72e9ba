//! Charges: `/cob`.

use std::{sync::Arc, time::Duration};

use poem::{
    Body, Request, Response, handler,
    http::StatusCode,
    web::{Data, Path},
};
use serde_json::{Value, json};
use tokio::time::sleep;
use uuid::Uuid;

use super::{charge_body::parse_terms, json_body::read_json, list_query::ListQuery};
use crate::{
    bank::{BankError, ChargeTerms, PaymentOrder, PixCharge, has_id_shape, random_id},
    http::{
        error_response::{ErrorResponse, Resource, Violation},
        json::json_response,
    },
    state::SandboxState,
};

fn bank_error(error: BankError) -> ErrorResponse {
    ErrorResponse::from_bank_error(Resource::Charge, error)
}

fn invalid(violations: Vec<Violation>) -> ErrorResponse {
    ErrorResponse::invalid_operation(Resource::Charge, violations)
}

/// `PUT /cob/{txid}`
#[handler]
pub(super) async fn put(
    Path(txid): Path<String>,
    Data(state): Data<&Arc<SandboxState>>,
    body: Body,
) -> Result<Response, ErrorResponse> {
    if !has_id_shape(&txid, 26..=35) {
        return Err(invalid(vec![Violation::new("cob.txid", txid, "does not match [a-zA-Z0-9]{26,35}")]));
    }
    create(state, &txid, body).await
}

/// `POST /cob`
#[handler]
pub(super) async fn post(
    Data(state): Data<&Arc<SandboxState>>,
    body: Body,
) -> Result<Response, ErrorResponse> {
    create(state, &random_id(32), body).await
}

async fn create(state: &SandboxState, txid: &str, body: Body) -> Result<Response, ErrorResponse> {
    let terms = parse_terms(&read_json(body).await?, &state.config.keys).map_err(invalid)?;
    let charge = state.bank().create_charge(txid, terms, &state.config).map_err(bank_error)?;
    // The response shows the charge before any payment that the fault makes.
    let body = charge_json(state, &charge);
    inject_early_payment(state, &charge).await?;
    Ok(json_response(StatusCode::CREATED, &body))
}

/// The fault `before_created`: pays the charge and notifies before the receiver gets the response.
async fn inject_early_payment(state: &SandboxState, charge: &PixCharge) -> Result<(), ErrorResponse> {
    let fires = state.faults().notifications.before_created.fires();
    if !fires {
        return Ok(());
    }
    let delay = Duration::from_millis(state.faults().notifications.before_created_ms);
    let order = PaymentOrder::now(charge.terms.amount.original);
    let payments = state.bank().pay_charge(&charge.txid, vec![order]).map_err(bank_error)?;
    payments.iter().for_each(|payment| state.queue_notification(&payment.end_to_end_id));
    sleep(delay).await;
    Ok(())
}

/// `PATCH /cob/{txid}`
#[handler]
pub(super) async fn patch(
    Path(txid): Path<String>,
    Data(state): Data<&Arc<SandboxState>>,
    body: Body,
) -> Result<Response, ErrorResponse> {
    let changes = read_json(body).await?;
    let remove = match changes["status"].as_str() {
        None => false,
        Some("REMOVIDA_PELO_USUARIO_RECEBEDOR") => true,
        Some(other) => {
            return Err(invalid(vec![Violation::new("cob.status", other, "cannot be set by the receiver")]));
        }
    };
    let charge = {
        let mut bank = state.bank();
        let current = bank.charge(&txid).ok_or_else(|| ErrorResponse::not_found(Resource::Charge))?;
        let terms = merge_terms(&current.terms, &changes, &state.config.keys)?;
        bank.revise_charge(&txid, terms, remove).map_err(bank_error)?
    };
    Ok(json_response(StatusCode::OK, &charge_json(state, &charge)))
}

/// Returns the current terms with the changed properties.
fn merge_terms(
    current: &ChargeTerms,
    changes: &Value,
    keys: &[String],
) -> Result<ChargeTerms, ErrorResponse> {
    let mut body = json!(current);
    for (name, value) in changes.as_object().into_iter().flatten() {
        body[name] = value.clone();
    }
    parse_terms(&body, keys).map_err(invalid)
}

/// `GET /cob/{txid}`
#[handler]
pub(super) fn read(
    Path(txid): Path<String>,
    Data(state): Data<&Arc<SandboxState>>,
) -> Result<Response, ErrorResponse> {
    let charge = state.bank().charge(&txid).cloned();
    let charge = charge.ok_or_else(|| ErrorResponse::not_found(Resource::Charge))?;
    let mut body = charge_json(state, &charge);
    if state.faults().api.wrong_chave.fires() {
        body["chave"] = json!(Uuid::new_v4());
    }
    if state.faults().api.unreadable_pix.fires() {
        let mut pix = body["pix"].as_array().cloned().unwrap_or_default();
        pix.insert(0, json!({ "endToEndId": random_id(32), "txid": txid, "valor": "?" }));
        body["pix"] = json!(pix);
    }
    Ok(json_response(StatusCode::OK, &body))
}

/// `GET /cob`
#[handler]
pub(super) fn list(
    request: &Request,
    Data(state): Data<&Arc<SandboxState>>,
) -> Result<Response, ErrorResponse> {
    let mut query = ListQuery::new(request, Resource::Charge);
    let (start, end) = query.time_range();
    let status: Option<String> = query.parameter("status");
    let cpf: Option<String> = query.parameter("cpf");
    let cnpj: Option<String> = query.parameter("cnpj");
    let charges = state.bank().find_charges(|charge| {
        let debtor = charge.terms.debtor.as_ref();
        (start..=end).contains(&charge.created_at)
            && status.as_ref().is_none_or(|status| json!(charge.status) == *status)
            && (cpf.is_none() || debtor.is_some_and(|debtor| debtor.cpf == cpf))
            && (cnpj.is_none() || debtor.is_some_and(|debtor| debtor.cnpj == cnpj))
    });
    let bodies: Vec<Value> = charges.iter().map(|charge| charge_json(state, charge)).collect();
    Ok(json_response(StatusCode::OK, &query.into_page("cobs", &bodies)?))
}

fn charge_json(state: &SandboxState, charge: &PixCharge) -> Value {
    charge.to_api_json(&state.bank().payments_of_charge(&charge.txid))
}
