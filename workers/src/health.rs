//! The health checks and the metrics of a worker, on the only port that it opens.

use guildhall_common::{
    contract::providers::Provider,
    platform::{bus::Publisher, cache::Cache},
};
use metrics_exporter_prometheus::PrometheusHandle;
use poem::{
    Endpoint, EndpointExt, Route, get, handler,
    http::StatusCode,
    web::{Data, Json},
};
use serde_json::{Value, json};
use sqlx::PgPool;

/// The servers whose state the health checks report.
#[derive(Clone)]
pub struct CheckedServers {
    pub database: PgPool,
    pub queue: Publisher,
    pub cache: Cache,
}

/// `/healthz`: the process runs. `/readyz`: the database and the queue are reachable. `/metrics`: Prometheus.
pub fn routes(servers: CheckedServers, metrics: PrometheusHandle) -> impl Endpoint {
    Route::new()
        .at("/healthz", get(healthz))
        .at("/readyz", get(readyz))
        .at("/metrics", poem::endpoint::make_sync(move |_| metrics.render()))
        .data(servers)
}

#[handler]
fn healthz() -> Json<Value> {
    Json(json!({ "status": "ok" }))
}

#[handler]
async fn readyz(Data(servers): Data<&CheckedServers>) -> (StatusCode, Json<Value>) {
    let database = sqlx::query_scalar!(r#"select true as "ok!""#).fetch_one(&servers.database).await.is_ok();
    let queue = servers.queue.is_ready();
    let status = if database && queue { StatusCode::OK } else { StatusCode::SERVICE_UNAVAILABLE };
    (status, Json(json!({ "database": database, "queue": queue, "cache": servers.cache.is_connected() })))
}

/// Creates the counters of failures with the value zero. An alarm does not notice a counter that appears with its first failure.
pub fn init_counters() {
    metrics::counter!("guildhall_dead_letters_total").increment(0);
    metrics::counter!("guildhall_jobs_failed_total").increment(0);
    metrics::counter!("guildhall_mails_parked_total").increment(0);
    metrics::counter!("guildhall_notifications_parked_total").increment(0);
    metrics::counter!("guildhall_refunds_failed_total").increment(0);
    for provider in Provider::ALL {
        metrics::counter!("guildhall_provider_failures_total", "provider" => provider.name()).increment(0);
    }
}
