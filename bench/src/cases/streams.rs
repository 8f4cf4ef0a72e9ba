//! Event streams: 1,000 clients follow one payment, and it changes.

use std::time::{Duration, Instant};

use anyhow::{Context, ensure};
use futures_util::{StreamExt, TryStreamExt, stream};
use guildhall_drills::{
    http::{HttpClient, request},
    percentiles::Percentiles,
};
use reqwest::{Client, Method, Response};
use serde_json::{Value, json};
use tokio::time::timeout;
use uuid::Uuid;

use super::payments::end_payments;
use crate::{case::CaseResult, site::Site};

const STREAMS: usize = 1000;

/// The number of streams that are opened at the same time.
const OPENED_AT_A_TIME: usize = 50;

/// The time limit of an event.
const TIME_LIMIT: Duration = Duration::from_secs(60);

/// Measures the time from the request that changes the payment until the streams have received the change.
pub(super) async fn fan_out(site: &Site) -> anyhow::Result<CaseResult> {
    let payment_id = create_payment(site).await?;
    let url = site.url(&format!("/payments/{payment_id}/events"));
    let http = Client::builder().no_proxy().pool_max_idle_per_host(0).build()?;
    let opened = (0..STREAMS).map(|number| {
        let token = &site.watchers[number % site.watchers.len()];
        open(&http, &url, token)
    });
    let streams: Vec<Response> =
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

async fn create_payment(site: &Site) -> anyhow::Result<String> {
    let created = post(site, "/payments/instant/qrcode", &json!({ "coins": 250 })).await?;
    Ok(created["result"]["payment_id"].as_str().context("no payment id")?.to_owned())
}

async fn post(site: &Site, path: &str, body: &Value) -> anyhow::Result<Value> {
    let token = &site.leaders[0].token;
    let request = request(&Method::POST, path, body, Some(token), Some(Uuid::new_v4()))?;
    let (status, text) = HttpClient::new(site.address.clone()).send(request).await?;
    ensure!(status.is_success() && status != 202, "{path}: {status} {text}");
    Ok(serde_json::from_str(&text)?)
}

/// Opens a stream and waits for its first event, the current state.
async fn open(http: &Client, url: &str, token: &str) -> anyhow::Result<Response> {
    let response =
        timeout(TIME_LIMIT, http.get(url).bearer_auth(token).send()).await.context("no stream")??;
    let mut response = response.error_for_status()?;
    wait_for(&mut response, "data:").await?;
    Ok(response)
}

/// Waits for an event with this text, and returns the time of its arrival.
async fn receive(mut stream: Response, text: &str) -> anyhow::Result<Instant> {
    wait_for(&mut stream, text).await?;
    Ok(Instant::now())
}

async fn wait_for(stream: &mut Response, text: &str) -> anyhow::Result<()> {
    let arrival = async {
        let mut received = Vec::new();
        while let Some(chunk) = stream.chunk().await? {
            received.extend_from_slice(&chunk);
            if String::from_utf8_lossy(&received).contains(text) {
                return Ok(());
            }
        }
        anyhow::bail!("the stream ended")
    };
    timeout(TIME_LIMIT, arrival).await.context("no event in time")?
}
