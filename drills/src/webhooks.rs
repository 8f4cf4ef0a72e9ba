//! How fast a bank's notifications are taken: on disk and answered.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use anyhow::ensure;
use futures_util::future::join_all;
use serde_json::json;
use tokio::time::{MissedTickBehavior, interval};

use crate::{sorted::Sorted, stack::Stack};

/// Connections of the bank.
const CONNECTIONS: u64 = 32;

/// How long each measurement takes.
const MEASURED: Duration = Duration::from_secs(10);

/// What must be reached.
const THROUGHPUT: f64 = 1000.0;
const RATE: u64 = 200;
const SLOWEST: Duration = Duration::from_millis(50);

struct Bank {
    http: reqwest::Client,
    /// Of the webhook, secret included.
    url: String,
}

/// Prints both figures.
///
/// # Errors
/// When a notification is not taken, or a figure is missed.
pub async fn measure() -> anyhow::Result<()> {
    let (api, secret) =
        (Stack::setting("GUILDHALL_API_LISTEN")?, Stack::setting("GUILDHALL_PIX_WEBHOOK_SECRET")?);
    let http = reqwest::Client::builder().no_proxy().build()?;
    let url = format!("http://{api}/payments/instant/webhook?secret={secret}");
    let bank = Arc::new(Bank { http, url });
    let throughput = bank.clone().as_fast_as_possible().await?;
    println!("as fast as possible, {CONNECTIONS} connections: {throughput:.0} notifications/s");
    let times = bank.at_a_rate().await?;
    println!("at {RATE}/s: {times}");
    ensure!(throughput >= THROUGHPUT, "fewer than {THROUGHPUT} notifications a second");
    ensure!(times.percentile(99).is_some_and(|p99| p99 < SLOWEST), "p99 is not under {SLOWEST:?}");
    Ok(())
}

impl Bank {
    async fn notify(&self, number: u64) -> anyhow::Result<()> {
        let body = json!({ "pix": [{
            "endToEndId": format!("E{number:031}"), "txid": format!("{number:032}"),
            "valor": "25.00", "horario": "2030-01-01T00:00:00Z"
        }] });
        let answer = self.http.post(&self.url).json(&body).send().await?;
        ensure!(answer.status() == 200, "{}", answer.text().await?);
        answer.bytes().await?;
        Ok(())
    }

    async fn as_fast_as_possible(self: Arc<Self>) -> anyhow::Result<f64> {
        let next = Arc::new(AtomicU64::new(0));
        let began = Instant::now();
        let senders = (0..CONNECTIONS).map(|_| {
            let (bank, next) = (self.clone(), next.clone());
            tokio::spawn(async move {
                while began.elapsed() < MEASURED {
                    bank.notify(next.fetch_add(1, Ordering::Relaxed)).await?;
                }
                anyhow::Ok(())
            })
        });
        for sent in join_all(senders).await {
            sent??;
        }
        Ok(next.load(Ordering::Relaxed) as f64 / began.elapsed().as_secs_f64())
    }

    /// From the moment a notification was due, not from when it could be sent: a queue counts as slow.
    async fn at_a_rate(self: Arc<Self>) -> anyhow::Result<Sorted<Duration>> {
        let mut ticks = interval(Duration::from_secs(1) / RATE as u32);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Burst);
        let mut sent = Vec::new();
        for number in 0..RATE * MEASURED.as_secs() {
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
