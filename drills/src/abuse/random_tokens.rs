//! Clients that guess tokens: many requests per second, each with another token.

use std::{
    net::{IpAddr, Ipv4Addr},
    sync::Arc,
    time::Duration,
};

use futures_util::future::join_all;
use rand::{RngExt, distr::Alphanumeric};
use tokio::time::{MissedTickBehavior, interval, sleep};
use tokio_util::sync::CancellationToken;

use super::{
    background_clients::{self, BackgroundResult},
    site::Site,
};
use crate::percentiles::Percentiles;

/// The clients, each with an address and a connection of its own. Each address is soon above its limit of requests.
const CLIENTS: u8 = 20;

/// The interval of the requests of one client: 2,000 requests per second of all of them.
const REQUEST_INTERVAL: Duration = Duration::from_millis(10);

/// The duration of a measurement, with and without the requests.
const DURATION: Duration = Duration::from_secs(10);

/// The measurements alternate, because the speed of a machine varies.
const ROUNDS: usize = 5;

/// The allowed 99th percentile of ordinary reads, in multiples of the one without random tokens.
const ALLOWED_FACTOR: f64 = 1.5;

/// The time that a read may take longer in any case. The program that sends the requests uses the processors, too.
const ALLOWED_DELAY: Duration = Duration::from_millis(5);

/// Compares reads with and without the requests.
///
/// # Errors
/// When a client cannot be created.
pub(super) async fn guess(site: &Arc<Site>) -> anyhow::Result<()> {
    let (mut before, mut beside, mut sent) = (vec![], vec![], 0);
    for _ in 0..ROUNDS {
        let (_, undisturbed) = background_clients::run_beside(&site.url, sleep(DURATION)).await?;
        let (requests, disturbed) = background_clients::run_beside(&site.url, send_all(site)).await?;
        sent += requests?;
        for result in [&undisturbed, &disturbed] {
            site.check(result.failures.is_empty(), || {
                format!("requests of background clients failed: {:?}", result.failures)
            });
        }
        before.push(p99(&undisturbed));
        beside.push(p99(&disturbed));
    }
    let [before, beside] = [before, beside].map(median);
    let factor = beside.as_secs_f64() / before.as_secs_f64();
    let rate = sent as f64 / (DURATION.as_secs_f64() * ROUNDS as f64);
    println!(
        "random tokens, {rate:.0} requests/s: p99 of reads {before:.1?} without, {beside:.1?} with ({factor:.2} x)"
    );
    site.check(factor <= ALLOWED_FACTOR || beside < before + ALLOWED_DELAY, || {
        format!("random tokens change the p99 of reads from {before:.1?} to {beside:.1?}")
    });
    Ok(())
}

fn p99(result: &BackgroundResult) -> Duration {
    result.times.percentile(99).unwrap_or_default()
}

fn median(times: Vec<Duration>) -> Duration {
    times.into_iter().collect::<Percentiles<_>>().percentile(50).unwrap_or_default()
}

/// Returns the number of requests that had a response.
async fn send_all(site: &Site) -> anyhow::Result<usize> {
    let stop = CancellationToken::new();
    let clients = (0..CLIENTS).map(|number| {
        let address = IpAddr::V4(Ipv4Addr::new(127, 0, 1, number + 1));
        let http = reqwest::Client::builder().no_proxy().local_address(address).build()?;
        Ok(tokio::spawn(send_until(http, format!("{}/accounts/me", site.url), stop.clone())))
    });
    let clients: Vec<_> = clients.collect::<Result<_, reqwest::Error>>()?;
    sleep(DURATION).await;
    stop.cancel();
    Ok(join_all(clients).await.into_iter().filter_map(Result::ok).sum())
}

async fn send_until(http: reqwest::Client, url: String, stop: CancellationToken) -> usize {
    let mut sent = 0;
    let mut ticks = interval(REQUEST_INTERVAL);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Skip);
    while stop.run_until_cancelled(ticks.tick()).await.is_some() {
        let response = http.get(&url).bearer_auth(random_token()).timeout(Duration::from_secs(30)).send();
        sent += usize::from(response.await.is_ok());
    }
    sent
}

/// A token in the form of service tokens.
fn random_token() -> String {
    let characters = rand::rng().sample_iter(Alphanumeric).take(43).map(char::from);
    format!("ghs_{}", characters.collect::<String>())
}
