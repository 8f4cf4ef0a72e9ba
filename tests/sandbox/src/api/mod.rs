//! The endpoints of API Pix.

mod charge_body;
mod charges;
mod json_body;
mod list_query;
mod loose_json;
mod middleware;
mod payments;
mod refunds;
mod webhooks;

use std::sync::Arc;

use poem::{Endpoint, EndpointExt, Route, get};

pub(crate) use self::charge_body::parse_person;
use crate::state::SandboxState;

pub(crate) fn routes(state: &Arc<SandboxState>) -> impl Endpoint + use<> {
    let state = state.clone();
    Route::new()
        .at("/cob", get(charges::list).post(charges::post))
        .at("/cob/:txid", get(charges::read).put(charges::put).patch(charges::patch))
        .at("/pix", get(payments::list))
        .at("/pix/:e2eid", get(payments::read))
        .at("/pix/:e2eid/devolucao/:id", get(refunds::read).put(refunds::put))
        .at("/webhook", get(webhooks::list))
        .at("/webhook/:chave", get(webhooks::read).put(webhooks::put).delete(webhooks::delete))
        .around(move |next, request| middleware::authorize(state.clone(), next, request))
}
