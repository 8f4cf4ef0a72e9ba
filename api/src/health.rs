//! Health and metrics.

use metrics_exporter_prometheus::PrometheusHandle;
use poem::{
    EndpointExt, Route, get, handler,
    http::StatusCode,
    web::{Data, Json},
};
use serde_json::{Value, json};

use crate::{
    http::route_policy::{HEALTHZ, METRICS, READYZ},
    state::State,
};

/// `/healthz`: the process runs and accepts requests. `/readyz`: Postgres and RabbitMQ are reachable.
/// `/metrics`: the metrics for Prometheus.
pub(crate) fn routes(state: State, metrics: PrometheusHandle) -> Route {
    Route::new()
        .at(HEALTHZ, get(healthz).data(state.clone()))
        .at(READYZ, get(readyz).data(state))
        .at(METRICS, get(poem::endpoint::make_sync(move |_| metrics.render())))
}

#[handler]
fn healthz(Data(state): Data<&State>) -> (StatusCode, Json<Value>) {
    if state.draining.is_cancelled() {
        return (StatusCode::SERVICE_UNAVAILABLE, Json(json!({ "status": "draining" })));
    }
    (StatusCode::OK, Json(json!({ "status": "ok" })))
}

/// The process is ready without the cache: reads then come from Postgres.
#[handler]
async fn readyz(Data(state): Data<&State>) -> (StatusCode, Json<Value>) {
    let database = sqlx::query_scalar!(r#"select true as "ok!""#).fetch_one(&state.database).await.is_ok();
    let queue = state.commands.publisher.is_ready();
    let status = if database && queue { StatusCode::OK } else { StatusCode::SERVICE_UNAVAILABLE };
    let cache = state.cache.is_connected() && state.cache.lease().is_valid();
    (status, Json(json!({ "database": database, "queue": queue, "cache": cache })))
}
