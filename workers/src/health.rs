//! The only port that a worker opens: its health and its metrics.

use metrics_exporter_prometheus::PrometheusHandle;
use poem::{
    Endpoint, EndpointExt, Route, get, handler,
    http::StatusCode,
    web::{Data, Json},
};
use serde_json::{Value, json};

use crate::app::App;

/// `/healthz`: the process runs. `/readyz`: its servers can be reached. `/metrics`: Prometheus.
pub fn routes(site: App, metrics: PrometheusHandle) -> impl Endpoint {
    Route::new()
        .at("/healthz", get(healthz))
        .at("/readyz", get(readyz))
        .at("/metrics", poem::endpoint::make_sync(move |_| metrics.render()))
        .data(site)
}

#[handler]
fn healthz() -> Json<Value> {
    Json(json!({ "status": "ok" }))
}

#[handler]
async fn readyz(Data(site): Data<&App>) -> (StatusCode, Json<Value>) {
    let database = sqlx::query_scalar!(r#"select true as "ok!""#).fetch_one(&site.database).await.is_ok();
    let queue = site.publisher.is_ready();
    let status = if database && queue { StatusCode::OK } else { StatusCode::SERVICE_UNAVAILABLE };
    (status, Json(json!({ "database": database, "queue": queue, "cache": site.cache.is_connected() })))
}

/// What is worth an alarm is there from the beginning: a rise from nothing would not be seen.
pub fn begin_to_count() {
    metrics::counter!("guildhall_dead_letters_total").increment(0);
    metrics::counter!("guildhall_jobs_failed_total").increment(0);
    metrics::counter!("guildhall_notifications_parked_total").increment(0);
    metrics::counter!("guildhall_provider_failures_total", "provider" => "api_pix").increment(0);
}
