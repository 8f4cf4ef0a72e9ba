//! Actions of the payer and of the payer's bank.

use std::sync::Arc;

use poem::{
    Response, handler,
    http::StatusCode,
    web::{Data, Json},
};
use serde::Deserialize;
use serde_json::{Value, json};

use super::errors::{bad_request, bank_error};
use crate::{
    api::parse_person,
    bank::{BankError, PaymentOrder, PixPayment, has_id_shape},
    br_code::{self, ScannedCode},
    http::{error_response::ErrorResponse, json::json_response},
    money::Cents,
    state::SandboxState,
};

/// The body of `POST /sandbox/pay`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PayRequest {
    /// The txid of the charge. The request has either a txid or a payload.
    txid: Option<String>,
    /// The text of a QR code.
    payload: Option<String>,
    #[serde(default)]
    how: PaymentVariant,
    /// Replaces the amount of the charge.
    amount: Option<Cents>,
    #[serde(default = "notify_by_default")]
    notify: bool,
    /// A message from the payer to the receiver.
    info: Option<String>,
    /// A person: `{"cpf" or "cnpj", "nome"}`.
    payer: Option<Value>,
}

/// How the payment differs from the charge.
#[derive(Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum PaymentVariant {
    #[default]
    Exact,
    /// One cent less.
    Under,
    /// One cent more.
    Over,
    /// The payment's time is after the charge's expiry, even if that time is in the future.
    Late,
    /// Two equal payments.
    Twice,
}

fn notify_by_default() -> bool {
    true
}

/// `POST /sandbox/pay`
#[handler]
pub(super) fn pay(
    Json(request): Json<PayRequest>,
    Data(state): Data<&Arc<SandboxState>>,
) -> Result<Response, ErrorResponse> {
    match (&request.txid, &request.payload) {
        (Some(txid), None) => pay_charge(state, txid, &request),
        (None, Some(payload)) => pay_code(state, payload, &request),
        _ => Err(bad_request("The request needs either txid or payload.")),
    }
}

fn pay_code(state: &SandboxState, payload: &str, request: &PayRequest) -> Result<Response, ErrorResponse> {
    match br_code::decode(payload).map_err(bad_request)? {
        ScannedCode::Dynamic { location } => {
            let txid = state.bank().charge_at_location(&location).map(|charge| charge.txid.clone());
            pay_charge(state, &txid.ok_or_else(|| bank_error(BankError::NotFound))?, request)
        }
        ScannedCode::Static { key, amount, txid } => {
            let amount = request.amount.or(amount);
            let amount =
                amount.ok_or_else(|| bad_request("The payload has no amount. Add amount to the request."))?;
            receive(state, &key, txid, payment_order(request, amount)?, request.notify)
        }
    }
}

fn pay_charge(state: &SandboxState, txid: &str, request: &PayRequest) -> Result<Response, ErrorResponse> {
    let orders = payment_orders(state, txid, request)?;
    let payments = state.bank().pay_charge(txid, orders).map_err(bank_error)?;
    Ok(created(state, payments, request.notify))
}

fn payment_orders(
    state: &SandboxState,
    txid: &str,
    request: &PayRequest,
) -> Result<Vec<PaymentOrder>, ErrorResponse> {
    let bank = state.bank();
    let charge = bank.charge(txid).ok_or_else(|| bank_error(BankError::NotFound))?;
    let Cents(base) = request.amount.unwrap_or(charge.terms.amount.original);
    let amount = match request.how {
        PaymentVariant::Under => base - 1,
        PaymentVariant::Over => base + 1,
        PaymentVariant::Exact | PaymentVariant::Late | PaymentVariant::Twice => base,
    };
    let amount = Cents::new(amount)
        .ok_or_else(|| bad_request("The amount is zero or too large. Send an amount that can be paid."))?;
    let paid_at = bank.payment_time(txid, request.how == PaymentVariant::Late).map_err(bank_error)?;
    let order = PaymentOrder { paid_at, ..payment_order(request, amount)? };
    Ok(vec![order; if request.how == PaymentVariant::Twice { 2 } else { 1 }])
}

fn payment_order(request: &PayRequest, amount: Cents) -> Result<PaymentOrder, ErrorResponse> {
    let payer = request.payer.as_ref().map(parse_person).transpose();
    let payer = payer.map_err(|reason| bad_request(format!("payer: {reason}")))?;
    Ok(PaymentOrder { payer_message: request.info.clone(), payer, ..PaymentOrder::now(amount) })
}

/// The body of `POST /sandbox/pay-static`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PayStaticRequest {
    /// The receiver's key. The default is the first key.
    key: Option<String>,
    amount: Cents,
    txid: Option<String>,
    #[serde(default = "notify_by_default")]
    notify: bool,
}

/// `POST /sandbox/pay-static`
#[handler]
pub(super) fn pay_static(
    Json(request): Json<PayStaticRequest>,
    Data(state): Data<&Arc<SandboxState>>,
) -> Result<Response, ErrorResponse> {
    let key = request.key.as_ref().or(state.config.keys.first()).cloned().unwrap_or_default();
    receive(state, &key, request.txid, PaymentOrder::now(request.amount), request.notify)
}

fn receive(
    state: &SandboxState,
    key: &str,
    txid: Option<String>,
    order: PaymentOrder,
    notify: bool,
) -> Result<Response, ErrorResponse> {
    if !state.config.keys.iter().any(|own| own == key) {
        return Err(bad_request("The key does not belong to the receiver."));
    }
    if !txid.as_ref().is_none_or(|txid| has_id_shape(txid, 1..=35)) {
        return Err(bad_request("The txid does not match [a-zA-Z0-9]{1,35}."));
    }
    let payment = state.bank().receive_payment(key, txid, order).map_err(bank_error)?;
    Ok(created(state, vec![payment], notify))
}

/// The body of `POST /sandbox/reverse`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ReverseRequest {
    end_to_end_id: String,
    /// The default is the whole rest of the payment.
    amount: Option<Cents>,
    #[serde(default = "notify_by_default")]
    notify: bool,
}

/// `POST /sandbox/reverse`
#[handler]
pub(super) fn reverse(
    Json(request): Json<ReverseRequest>,
    Data(state): Data<&Arc<SandboxState>>,
) -> Result<Response, ErrorResponse> {
    let payment = state.bank().reverse_payment(&request.end_to_end_id, request.amount).map_err(bank_error)?;
    Ok(created(state, vec![payment], request.notify))
}

/// The body of `POST /sandbox/notify`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct NotifyRequest {
    end_to_end_id: String,
}

/// `POST /sandbox/notify`
#[handler]
pub(super) fn resend_notification(
    Json(request): Json<NotifyRequest>,
    Data(state): Data<&Arc<SandboxState>>,
) -> Result<Response, ErrorResponse> {
    let payment = state.bank().payment(&request.end_to_end_id).cloned();
    let payment = payment.ok_or_else(|| bank_error(BankError::NotFound))?;
    state.queue_notification(&request.end_to_end_id);
    Ok(json_response(StatusCode::ACCEPTED, &json!({ "pix": [payment] })))
}

fn created(state: &SandboxState, payments: Vec<PixPayment>, notify: bool) -> Response {
    if notify {
        payments.iter().for_each(|payment| state.queue_notification(&payment.end_to_end_id));
    }
    json_response(StatusCode::CREATED, &json!({ "pix": payments }))
}
