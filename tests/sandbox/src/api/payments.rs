//! Received payments: `/pix`.

use std::sync::Arc;

use poem::{
    Request, Response, handler,
    http::StatusCode,
    web::{Data, Path},
};

use super::list_query::ListQuery;
use crate::{
    http::{
        error_response::{ErrorResponse, Resource},
        json::json_response,
    },
    state::SandboxState,
};

/// `GET /pix/{e2eid}`
#[handler]
pub(super) fn read(
    Path(end_to_end_id): Path<String>,
    Data(state): Data<&Arc<SandboxState>>,
) -> Result<Response, ErrorResponse> {
    let bank = state.bank();
    let payment = bank.payment(&end_to_end_id).ok_or_else(|| ErrorResponse::not_found(Resource::Payment))?;
    Ok(json_response(StatusCode::OK, payment))
}

/// `GET /pix`
#[handler]
pub(super) fn list(
    request: &Request,
    Data(state): Data<&Arc<SandboxState>>,
) -> Result<Response, ErrorResponse> {
    let mut query = ListQuery::new(request, Resource::Payment);
    let (start, end) = query.time_range();
    let txid: Option<String> = query.parameter("txid");
    let has_txid: Option<bool> = query.parameter("txIdPresente");
    let has_refund: Option<bool> = query.parameter("devolucaoPresente");
    let payments = state.bank().find_payments(|payment| {
        (start..=end).contains(&payment.paid_at)
            && (txid.is_none() || payment.txid == txid)
            && has_txid.is_none_or(|has_txid| has_txid == payment.txid.is_some())
            && has_refund.is_none_or(|has_refund| has_refund != payment.refunds.is_empty())
    });
    Ok(json_response(StatusCode::OK, &query.into_page("pix", &payments)?))
}
