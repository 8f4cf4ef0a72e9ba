//! The fault settings.

use std::sync::Arc;

use poem::{
    Response, handler,
    http::StatusCode,
    web::{Data, Json},
};

use crate::{faults::FaultSettings, http::json::json_response, state::SandboxState};

/// `GET /sandbox/faults`
#[handler]
pub(super) fn read(Data(state): Data<&Arc<SandboxState>>) -> Response {
    json_response(StatusCode::OK, &*state.faults())
}

/// `PUT /sandbox/faults`
#[handler]
pub(super) fn replace(
    Json(settings): Json<FaultSettings>,
    Data(state): Data<&Arc<SandboxState>>,
) -> Response {
    *state.faults() = settings.clone();
    json_response(StatusCode::OK, &settings)
}

/// `GET /sandbox/faults/default`
#[handler]
pub(super) fn read_default() -> Response {
    json_response(StatusCode::OK, &FaultSettings::default())
}
