//! Health and metrics.

use metrics_exporter_prometheus::PrometheusHandle;
use poem::{
    EndpointExt, Route, get, handler,
    http::StatusCode,
    web::{Data, Json},
};
use serde_json::{Value, json};

use crate::state::State;

/// What probes and scrapers ask.
pub(crate) const PATHS: [&str; 3] = ["/healthz", "/readyz", "/metrics"];

/// `/healthz`: the process runs, and takes requests for as long as it likes. `/readyz`: all that it can do is
/// possible. `/metrics`: Prometheus.
pub(crate) fn routes(state: State, metrics: PrometheusHandle) -> Route {
    Route::new()
        .at("/healthz", get(healthz).data(state.clone()))
        .at("/readyz", get(readyz).data(state))
        .at("/metrics", get(poem::endpoint::make_sync(move |_| metrics.render())))
}

#[handler]
fn healthz(Data(state): Data<&State>) -> (StatusCode, Json<Value>) {
    if state.leaving.is_cancelled() {
        return (StatusCode::SERVICE_UNAVAILABLE, Json(json!({ "status": "leaving" })));
    }
    (StatusCode::OK, Json(json!({ "status": "ok" })))
}

/// The cache being away is no reason to send nobody here.
#[handler]
async fn readyz(Data(state): Data<&State>) -> (StatusCode, Json<Value>) {
    let database = sqlx::query_scalar!(r#"select true as "ok!""#).fetch_one(&state.database).await.is_ok();
    let queue = state.commands.publisher.is_ready();
    let status = if database && queue { StatusCode::OK } else { StatusCode::SERVICE_UNAVAILABLE };
    let cache = state.cache.is_connected() && state.cache.lease().is_valid();
    (status, Json(json!({ "database": database, "queue": queue, "cache": cache })))
}
