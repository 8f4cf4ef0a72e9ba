//! The probes and the metrics, at an address of their own: no path of a proxy in front of the API leads to them.

use std::time::Duration;

use metrics_exporter_prometheus::PrometheusHandle;
use poem::{
    Endpoint, EndpointExt, Route, get, handler,
    http::StatusCode,
    web::{Data, Json},
};
use serde_json::{Value, json};
use tokio::{runtime::Handle, time::timeout};

use crate::state::State;

/// `/healthz`: the threads serve requests, and the process does not stop soon. `/readyz`: Postgres and RabbitMQ are reachable.
/// `/metrics`: the metrics for Prometheus.
pub fn routes(state: State, threads: ThreadCheck, metrics: PrometheusHandle) -> impl Endpoint + 'static {
    Route::new()
        .at("/healthz", get(healthz.data(threads)))
        .at("/readyz", get(readyz))
        .at("/metrics", get(poem::endpoint::make_sync(move |_| metrics.render())))
        .data(state)
}

/// Finds out whether the threads that serve requests still do so.
#[derive(Debug, Clone)]
pub struct ThreadCheck {
    pub runtimes: Vec<Handle>,
    /// The time in which each thread must run a task.
    pub time_limit: Duration,
}

impl ThreadCheck {
    async fn succeeds(&self) -> bool {
        let tasks: Vec<_> = self.runtimes.iter().map(|runtime| runtime.spawn(async {})).collect();
        let all_run = async {
            for task in tasks {
                task.await?;
            }
            Ok::<_, tokio::task::JoinError>(())
        };
        matches!(timeout(self.time_limit, all_run).await, Ok(Ok(())))
    }
}

#[handler]
async fn healthz(Data(state): Data<&State>, Data(threads): Data<&ThreadCheck>) -> (StatusCode, Json<Value>) {
    let (code, status) = if state.draining.is_cancelled() {
        (StatusCode::SERVICE_UNAVAILABLE, "draining")
    } else if !threads.succeeds().await {
        (StatusCode::SERVICE_UNAVAILABLE, "a thread does not respond")
    } else {
        (StatusCode::OK, "ok")
    };
    (code, Json(json!({ "status": status })))
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

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;
    use crate::server::ServingThread;

    #[tokio::test]
    async fn blocked_thread_fails_the_check() {
        let threads = [ServingThread::start().unwrap(), ServingThread::start().unwrap()];
        let runtimes = threads.iter().map(|thread| thread.runtime().clone()).collect();
        let check = ThreadCheck { runtimes, time_limit: Duration::from_secs(1) };
        assert!(check.succeeds().await);
        let (end, ended) = mpsc::channel::<()>();
        let blocked = threads[1].runtime().spawn(async move { ended.recv() });
        assert!(!check.succeeds().await);
        drop(end);
        blocked.await.unwrap().unwrap_err();
        assert!(check.succeeds().await);
    }
}
