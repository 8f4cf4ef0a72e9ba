//! The payer, and the payer's bank.

use std::sync::Arc;

use poem::{
    Response, handler,
    http::StatusCode,
    web::{Data, Json},
};
use serde::Deserialize;
use serde_json::{Value, json};

use super::{bad, refused};
use crate::{
    State,
    api::{Problem, json_response, person},
    bank::{Payment, Pix, Refused, is_id},
    br_code::{self, Scanned},
    money::Cents,
};

/// `POST /sandbox/pay`
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Pay {
    /// The charge; or else its `payload`.
    txid: Option<String>,
    /// The text of a QR code.
    payload: Option<String>,
    #[serde(default)]
    how: How,
    /// Instead of the amount that is asked for.
    amount: Option<Cents>,
    #[serde(default = "yes")]
    notify: bool,
    /// What the payer writes to the receiver.
    info: Option<String>,
    /// `{"cpf" or "cnpj", "nome"}`
    payer: Option<Value>,
}

#[derive(Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum How {
    #[default]
    Exact,
    /// A cent less.
    Under,
    /// A cent more.
    Over,
    /// Dated after the charge's expiry, even if that is still to come.
    Late,
    /// Two payments at once.
    Twice,
}

fn yes() -> bool {
    true
}

#[handler]
pub(crate) fn pay_charge(Json(pay): Json<Pay>, Data(state): Data<&Arc<State>>) -> Result<Response, Problem> {
    let txid = match (&pay.txid, &pay.payload) {
        (Some(txid), None) => txid.clone(),
        (None, Some(payload)) => match br_code::read(payload).map_err(bad)? {
            Scanned::Dynamic { location } => {
                let bank = state.bank();
                bank.cob_at(&location).ok_or_else(|| refused(Refused::Unknown))?.txid.clone()
            }
            Scanned::Static { key, amount, txid } => {
                let amount =
                    pay.amount.or(amount).ok_or_else(|| bad("the payload has no amount: give one"))?;
                return receive(state, &key, txid, payment(&pay, amount)?, pay.notify);
            }
        },
        _ => return Err(bad("give a txid or a payload")),
    };
    let payments = payments(state, &txid, &pay)?;
    let paid = state.bank().pay(&txid, payments).map_err(refused)?;
    Ok(answer(state, paid, pay.notify))
}

fn payments(state: &State, txid: &str, pay: &Pay) -> Result<Vec<Payment>, Problem> {
    let bank = state.bank();
    let asked = bank.cob(txid).ok_or_else(|| refused(Refused::Unknown))?.pedido.valor.original;
    let Cents(base) = pay.amount.unwrap_or(asked);
    let amount = match pay.how {
        How::Under => base - 1,
        How::Over => base + 1,
        How::Exact | How::Late | How::Twice => base,
    };
    let amount = Cents::new(amount).ok_or_else(|| bad("nobody can pay this amount"))?;
    let horario = bank.moment(txid, pay.how == How::Late).map_err(refused)?;
    let payment = Payment { horario, ..payment(pay, amount)? };
    Ok(vec![payment; if pay.how == How::Twice { 2 } else { 1 }])
}

fn payment(pay: &Pay, valor: Cents) -> Result<Payment, Problem> {
    let pagador = pay.payer.as_ref().map(person).transpose().map_err(bad)?;
    Ok(Payment { info_pagador: pay.info.clone(), pagador, ..Payment::now(valor) })
}

/// `POST /sandbox/pay-static`
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct PayStatic {
    /// The receiver's first key if it is not given.
    key: Option<String>,
    amount: Cents,
    txid: Option<String>,
    #[serde(default = "yes")]
    notify: bool,
}

#[handler]
pub(crate) fn pay_static(
    Json(pay): Json<PayStatic>,
    Data(state): Data<&Arc<State>>,
) -> Result<Response, Problem> {
    let key = pay.key.as_ref().or(state.config.keys.first()).cloned().unwrap_or_default();
    receive(state, &key, pay.txid, Payment::now(pay.amount), pay.notify)
}

fn receive(
    state: &State,
    key: &str,
    txid: Option<String>,
    payment: Payment,
    notify: bool,
) -> Result<Response, Problem> {
    if !state.config.keys.iter().any(|own| own == key) {
        return Err(bad("the key is not one of the receiver's"));
    }
    if !txid.as_ref().is_none_or(|txid| is_id(txid, 1..=35)) {
        return Err(bad("a txid has 1 to 35 letters and digits"));
    }
    let pix = state.bank().receive(key, txid, payment).map_err(refused)?;
    Ok(answer(state, vec![pix], notify))
}

/// `POST /sandbox/reverse`
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Reverse {
    end_to_end_id: String,
    /// All that is left if it is not given.
    amount: Option<Cents>,
    #[serde(default = "yes")]
    notify: bool,
}

#[handler]
pub(crate) fn take_back(
    Json(reverse): Json<Reverse>,
    Data(state): Data<&Arc<State>>,
) -> Result<Response, Problem> {
    let pix = state.bank().reverse(&reverse.end_to_end_id, reverse.amount).map_err(refused)?;
    Ok(answer(state, vec![pix], reverse.notify))
}

/// `POST /sandbox/notify`
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Notify {
    end_to_end_id: String,
}

#[handler]
pub(crate) fn repeat(
    Json(notify): Json<Notify>,
    Data(state): Data<&Arc<State>>,
) -> Result<Response, Problem> {
    let pix = state.bank().pix(&notify.end_to_end_id).cloned();
    let pix = pix.ok_or_else(|| refused(Refused::Unknown))?;
    state.notify(&notify.end_to_end_id);
    Ok(json_response(StatusCode::ACCEPTED, &json!({ "pix": [pix] })))
}

fn answer(state: &State, pix: Vec<Pix>, notify: bool) -> Response {
    if notify {
        pix.iter().for_each(|pix| state.notify(&pix.end_to_end_id));
    }
    json_response(StatusCode::CREATED, &json!({ "pix": pix }))
}
