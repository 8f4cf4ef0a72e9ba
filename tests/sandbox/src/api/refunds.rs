//! Refunds: `/pix/{e2eid}/devolucao`.

use std::sync::Arc;

use poem::{
    Body, Response, handler,
    http::StatusCode,
    web::{Data, Path},
};

use super::{charge_body::parse_amount, json_body::read_json};
use crate::{
    bank::has_id_shape,
    http::{
        error_response::{ErrorResponse, Resource, Violation},
        json::json_response,
    },
    refund_processing::complete_refund_later,
    state::SandboxState,
};

/// `PUT /pix/{e2eid}/devolucao/{id}`
#[handler]
pub(super) async fn put(
    Path((end_to_end_id, id)): Path<(String, String)>,
    Data(state): Data<&Arc<SandboxState>>,
    body: Body,
) -> Result<Response, ErrorResponse> {
    let invalid = |violation| ErrorResponse::invalid_operation(Resource::Refund, vec![violation]);
    if !has_id_shape(&id, 1..=35) {
        return Err(invalid(Violation::new("devolucao.id", id, "does not match [a-zA-Z0-9]{1,35}")));
    }
    let body = read_json(body).await?;
    let amount = &body["valor"];
    let amount = parse_amount(amount)
        .map_err(|reason| invalid(Violation::new("devolucao.valor", amount.to_string(), reason)))?;
    let result = state.bank().start_refund(&end_to_end_id, &id, amount);
    let (refund, is_new) = result.map_err(|error| ErrorResponse::from_bank_error(Resource::Refund, error))?;
    if is_new {
        state.spawn(complete_refund_later(state.clone(), end_to_end_id, id));
    }
    Ok(json_response(StatusCode::CREATED, &refund))
}

/// `GET /pix/{e2eid}/devolucao/{id}`
#[handler]
pub(super) fn read(
    Path((end_to_end_id, id)): Path<(String, String)>,
    Data(state): Data<&Arc<SandboxState>>,
) -> Result<Response, ErrorResponse> {
    let bank = state.bank();
    let refund = bank.payment(&end_to_end_id).and_then(|payment| payment.refund(&id));
    Ok(json_response(StatusCode::OK, refund.ok_or_else(|| ErrorResponse::not_found(Resource::Refund))?))
}
