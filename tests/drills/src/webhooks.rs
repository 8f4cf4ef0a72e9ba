//! A measurement: how fast the api stores and confirms payment notifications of a bank.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use anyhow::{bail, ensure};
use futures_util::future::join_all;
use guildhall_testkit::{environment::setting, http::HttpClient, percentiles::Percentiles};
use serde_json::json;
use tokio::time::{MissedTickBehavior, interval, sleep};

/// The connections of the bank.
const CONNECTIONS: u64 = 32;

/// The duration of each measurement.
const MEASUREMENT_DURATION: Duration = Duration::from_secs(10);

/// The required throughput: notifications in a second, as fast as possible.
const MIN_THROUGHPUT: f64 = 1000.0;

/// The rate of the second measurement: notifications in a second.
const RATE: u64 = 200;

/// The required 99th percentile of the response times at that rate.
const MAX_P99: Duration = Duration::from_millis(50);

/// The time after which an unconfirmed notification is sent again.
const REPEAT_DELAY: Duration = Duration::from_millis(100);

struct NotifyingBank {
    http: HttpClient,
    /// The path of the webhook, with its secret.
    path: String,
}

/// Measures and prints the throughput and the response times.
///
/// # Errors
/// When a notification is refused, or a requirement is not met.
pub async fn measure() -> anyhow::Result<()> {
    let (api, secret) = (setting("GUILDHALL_API_LISTEN")?, setting("GUILDHALL_PIX_WEBHOOK_SECRET")?);
    let path = format!("/payments/instant/webhook?secret={secret}");
    let bank = Arc::new(NotifyingBank { http: HttpClient::new(&api), path });
    let throughput = bank.clone().measure_throughput().await?;
    println!("as fast as possible, {CONNECTIONS} connections: {throughput:.0} notifications/s");
    let times = bank.measure_response_times().await?;
    println!("at {RATE}/s: {times}");
    ensure!(throughput >= MIN_THROUGHPUT, "fewer than {MIN_THROUGHPUT} notifications/s");
    ensure!(times.percentile(99).is_some_and(|p99| p99 < MAX_P99), "p99 is not below {MAX_P99:?}");
    Ok(())
}

impl NotifyingBank {
    /// Sends a notification until the api confirms it. Banks repeat an unconfirmed notification, too.
    async fn notify(&self, number: u64) -> anyhow::Result<()> {
        let body = json!({ "pix": [{
            "endToEndId": format!("E{number:031}"), "txid": format!("{number:032}"),
            "valor": "25.00", "horario": "2030-01-01T00:00:00Z"
        }] });
        let request = self.http.post(&self.path, &body);
        loop {
            let response = request.send().await?;
            match response.status {
                200 => return Ok(()),
                503 => println!("repeated: {}", response.text()),
                status => bail!("{status} {}", response.text()),
            }
            sleep(REPEAT_DELAY).await;
        }
    }

    async fn measure_throughput(self: Arc<Self>) -> anyhow::Result<f64> {
        let next = Arc::new(AtomicU64::new(0));
        let started = Instant::now();
        let senders = (0..CONNECTIONS).map(|_| {
            let (bank, next) = (self.clone(), next.clone());
            tokio::spawn(async move {
                while started.elapsed() < MEASUREMENT_DURATION {
                    bank.notify(next.fetch_add(1, Ordering::Relaxed)).await?;
                }
                anyhow::Ok(())
            })
        });
        for sent in join_all(senders).await {
            sent??;
        }
        Ok(next.load(Ordering::Relaxed) as f64 / started.elapsed().as_secs_f64())
    }

    /// Measures from the time at which a notification was due, not from its start, so that queueing counts as well.
    async fn measure_response_times(self: Arc<Self>) -> anyhow::Result<Percentiles<Duration>> {
        let mut ticks = interval(Duration::from_secs(1) / RATE as u32);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Burst);
        let mut sent = Vec::new();
        for number in 0..RATE * MEASUREMENT_DURATION.as_secs() {
            let due = ticks.tick().await;
            let bank = self.clone();
            sent.push(tokio::spawn(async move {
                bank.notify(1_000_000_000 + number).await?;
                anyhow::Ok(due.elapsed())
            }));
        }
        join_all(sent).await.into_iter().map(|sent| sent?).collect()
    }
}
