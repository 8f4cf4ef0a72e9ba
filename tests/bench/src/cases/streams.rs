//! Event streams: 1,000 clients follow one payment, and it changes.

use std::time::{Duration, Instant};

use anyhow::{Context, ensure};
use futures_util::{StreamExt, TryStreamExt, stream};
use guildhall_testkit::{
    http::{HttpClient, ResponseStream},
    percentiles::Percentiles,
};
use serde_json::{Value, json};
use tokio::time::timeout;
use uuid::Uuid;

use super::payments::end_payments;
use crate::{case::CaseResult, site::BenchSite};

const STREAMS: usize = 1000;

/// The number of streams that are opened at the same time.
const OPENED_AT_A_TIME: usize = 50;

/// The time limit of an event.
const TIME_LIMIT: Duration = Duration::from_secs(60);

/// Measures the time from the request that changes the payment until the streams have received the change.
pub(super) async fn fan_out(site: &BenchSite) -> anyhow::Result<CaseResult> {
    let payment_id = create_payment(site).await?;
    let path = format!("/payments/{payment_id}/events");
    let opened = (0..STREAMS).map(|number| {
        let token = &site.watchers[number % site.watchers.len()];
        open(&site.http, &path, token)
    });
    let streams: Vec<ResponseStream> =
        stream::iter(opened).buffer_unordered(OPENED_AT_A_TIME).try_collect().await?;
    let waits: Vec<_> =
        streams.into_iter().map(|stream| tokio::spawn(receive(stream, "cancelled"))).collect();
    let started = Instant::now();
    post(site, &format!("/payments/{payment_id}/cancel"), &Value::Null).await?;
    let mut received = Vec::with_capacity(STREAMS);
    for wait in waits {
        received.push(wait.await??.duration_since(started));
    }
    end_payments(&site.database).await?;
    let times: Percentiles<Duration> = received.into_iter().collect();
    let ms = |percent| times.percentile(percent).unwrap_or_default().as_secs_f64() * 1000.0;
    Ok(CaseResult { operations: 0, figures: vec![("streams-last", ms(100)), ("streams-median", ms(50))] })
}

async fn create_payment(site: &BenchSite) -> anyhow::Result<String> {
    let created = post(site, "/payments/instant/qrcode", &json!({ "coins": 250 })).await?;
    Ok(created["result"]["payment_id"].as_str().context("no payment id")?.to_owned())
}

async fn post(site: &BenchSite, path: &str, body: &Value) -> anyhow::Result<Value> {
    let request = site.http.post(path, body).bearer_auth(&*site.leaders[0].token);
    let response = request.idempotency_key(Uuid::new_v4()).send().await?;
    ensure!(response.status != 202, "{path}: {}", response.text());
    response.success().context(path.to_owned())
}

/// Opens a stream and waits for its first event, the current state.
async fn open(http: &HttpClient, path: &str, token: &str) -> anyhow::Result<ResponseStream> {
    let mut stream = http.get(path).bearer_auth(token).open().await?;
    ensure!(stream.status == 200, "{path}: {}", stream.status);
    wait_for(&mut stream, "data:").await?;
    Ok(stream)
}

/// Waits for an event with this text, and returns the time of its arrival.
async fn receive(mut stream: ResponseStream, text: &str) -> anyhow::Result<Instant> {
    wait_for(&mut stream, text).await?;
    Ok(Instant::now())
}

async fn wait_for(stream: &mut ResponseStream, text: &str) -> anyhow::Result<()> {
    timeout(TIME_LIMIT, stream.read_until(text)).await.context("no event in time")?.map(drop)
}
