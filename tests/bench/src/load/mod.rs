//! The load of commands: clients that each send one request after the other, with a journal of all of them.

pub(crate) mod journal;
pub(crate) mod verify;

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use anyhow::Context;
use futures_util::future::try_join_all;
use guildhall_testkit::{http::HttpClient, percentiles::Percentiles};
use http::Method;
use serde::Deserialize;
use serde_json::Value;
use tokio::time::{Interval, MissedTickBehavior, interval_at, sleep};
use uuid::Uuid;

pub(crate) use journal::JournalEntry;

/// The delay before a request is repeated after a 503.
const RETRY_DELAY: Duration = Duration::from_millis(100);

/// The time after the end of the load in which a client still repeats its last request.
const GIVE_UP_AFTER: Duration = Duration::from_secs(30);

/// A request that a client sends.
pub(crate) struct Call {
    pub(crate) method: Method,
    pub(crate) path: String,
    pub(crate) body: Value,
    pub(crate) token: Option<String>,
    /// Ask for a response as soon as the command is stored.
    pub(crate) is_async: bool,
}

/// How many clients send requests, and for how long.
#[derive(Debug, Clone, Copy)]
pub(crate) struct LoadPlan {
    pub(crate) clients: usize,
    pub(crate) duration: Duration,
    /// The total rate that the clients keep to. None: each sends as fast as it gets responses.
    pub(crate) per_second: Option<u32>,
    /// Whether a request has an `Idempotency-Key`.
    pub(crate) has_keys: bool,
}

/// All requests of a load.
pub(crate) struct LoadResult {
    pub(crate) entries: Vec<JournalEntry>,
    pub(crate) elapsed: Duration,
}

/// The part of a response that the journal needs.
#[derive(Deserialize)]
struct OperationResponse {
    operation_id: Option<Uuid>,
}

impl LoadPlan {
    /// Sends requests until the time is over or there are no more. `call` returns the request of a client by its number.
    ///
    /// # Errors
    /// When a client gets no response.
    pub(crate) async fn run(
        self,
        address: &str,
        call: impl Fn(usize, usize) -> Option<Call> + Send + Sync + 'static,
    ) -> anyhow::Result<LoadResult> {
        let (call, started) = (Arc::new(call), Instant::now());
        let clients = (0..self.clients).map(|number| {
            let client = LoadClient { number, http: HttpClient::new(address), load: self, started };
            tokio::spawn(client.send_all(call.clone()))
        });
        let clients = try_join_all(clients).await?;
        let entries = clients.into_iter().collect::<anyhow::Result<Vec<_>>>()?.concat();
        let last = entries.iter().map(JournalEntry::ended).max();
        Ok(LoadResult { entries, elapsed: last.unwrap_or_default() })
    }
}

impl LoadResult {
    /// Requests with a final success.
    pub(crate) fn succeeded(&self) -> impl Iterator<Item = &JournalEntry> {
        self.entries.iter().filter(|entry| entry.is_success() && entry.status != 202)
    }

    /// Successes per second.
    pub(crate) fn per_second(&self) -> f64 {
        self.succeeded().count() as f64 / self.elapsed.as_secs_f64()
    }

    /// A percentile of the latencies of successes in milliseconds.
    pub(crate) fn percentile_ms(&self, percent: usize) -> f64 {
        let latencies: Percentiles<Duration> = self.succeeded().map(|entry| entry.latency).collect();
        latencies.percentile(percent).unwrap_or_default().as_secs_f64() * 1000.0
    }
}

struct LoadClient {
    number: usize,
    http: HttpClient,
    load: LoadPlan,
    started: Instant,
}

impl LoadClient {
    async fn send_all(
        self,
        call: Arc<impl Fn(usize, usize) -> Option<Call>>,
    ) -> anyhow::Result<Vec<JournalEntry>> {
        let mut ticks = self.load.per_second.map(|per_second| self.ticks(per_second));
        let mut entries = Vec::new();
        while self.started.elapsed() < self.load.duration {
            let Some(call) = call(self.number, entries.len()) else { break };
            // The latency counts from the time at which a request was due, so a slow response delays no measurement.
            let due = match &mut ticks {
                Some(ticks) => ticks.tick().await.into_std(),
                None => Instant::now(),
            };
            entries.push(self.send(call, entries.len(), due - self.started).await?);
        }
        Ok(entries)
    }

    /// The times at which this client sends its requests. The clients take turns, so the requests of all of them are evenly spaced.
    fn ticks(&self, per_second: u32) -> Interval {
        let gap = Duration::from_secs(1) / per_second;
        let first = self.started + gap * self.number as u32;
        let mut ticks = interval_at(first.into(), gap * self.load.clients as u32);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Burst);
        ticks
    }

    /// Sends a request, and repeats it with its key after a 503, as the README tells clients to do.
    async fn send(&self, call: Call, number: usize, started: Duration) -> anyhow::Result<JournalEntry> {
        let key = self.load.has_keys.then(Uuid::new_v4);
        let mut turned_away = 0;
        let request = self.http.request_with(call.method, &call.path, &call.body);
        let mut request = request.bearer_auth(call.token.as_deref()).idempotency_key(key);
        if call.is_async {
            request = request.header("Prefer", "respond-async");
        }
        loop {
            let response = request.send().await.with_context(|| call.path.clone())?;
            let is_over = self.started.elapsed() > self.load.duration;
            let may_repeat =
                !is_over || (key.is_some() && self.started.elapsed() < self.load.duration + GIVE_UP_AFTER);
            if response.status == 503 && may_repeat {
                turned_away += 1;
                sleep(RETRY_DELAY).await;
                continue;
            }
            let operation: Option<OperationResponse> = serde_json::from_slice(&response.body).ok();
            return Ok(JournalEntry {
                client: self.number,
                number,
                key,
                operation_id: operation.and_then(|operation| operation.operation_id),
                status: response.status,
                started,
                latency: self.started.elapsed().saturating_sub(started),
                turned_away,
            });
        }
    }
}
