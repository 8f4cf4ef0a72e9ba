//! Health and metrics.

use metrics_exporter_prometheus::PrometheusHandle;
use poem::{
    EndpointExt, Route, get, handler,
    http::StatusCode,
    web::{Data, Json},
};
use serde_json::{Value, json};

use crate::State;

/// What probes and scrapers ask.
pub(crate) const PATHS: [&str; 3] = ["/healthz", "/readyz", "/metrics"];

/// `/healthz`: the process runs. `/readyz`: requests can be served. `/metrics`: Prometheus.
pub(crate) fn routes(state: State, metrics: PrometheusHandle) -> Route {
    Route::new()
        .at("/healthz", get(healthz))
        .at("/readyz", get(readyz).data(state))
        .at("/metrics", get(poem::endpoint::make_sync(move |_| metrics.render())))
}

#[handler]
fn healthz() -> Json<Value> {
    Json(json!({ "status": "ok" }))
}

/// The cache being away is no reason to send nobody here.
#[handler]
async fn readyz(Data(state): Data<&State>) -> (StatusCode, Json<Value>) {
    let database = sqlx::query_scalar!(r#"select true as "ok!""#).fetch_one(&state.database).await.is_ok();
    let queue = state.commands.publisher.is_ready();
    let status = if database && queue { StatusCode::OK } else { StatusCode::SERVICE_UNAVAILABLE };
    let cache = state.cache.is_connected() && state.cache.trust().stands();
    (status, Json(json!({ "database": database, "queue": queue, "cache": cache })))
}
