//! Clients that guess tokens: many requests per second, each with another token.

use std::{
    net::{IpAddr, Ipv4Addr},
    sync::Arc,
    time::Duration,
};

use futures_util::future::join_all;
use guildhall_testkit::{http::HttpClient, percentiles::Percentiles};
use tokio::time::{MissedTickBehavior, interval, sleep};
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use super::{background_clients, site::AbuseSite};

/// The clients, each with an address and a connection of its own. They have no limit of requests, so each token is looked up.
const CLIENTS: u8 = 20;

/// The interval of the requests of one client: 2,000 requests per second of all of them.
const REQUEST_INTERVAL: Duration = Duration::from_millis(10);

/// The time limit of a response.
const TIME_LIMIT: Duration = Duration::from_secs(30);

/// The duration of a measurement.
const DURATION: Duration = Duration::from_secs(10);

/// The measurements alternate, because the speed of a machine varies.
const ROUNDS: usize = 5;

/// The allowed 99th percentile of ordinary reads, in multiples of the one without random tokens.
const ALLOWED_FACTOR: f64 = 1.5;

/// The time that a read may take longer in any case. The program that sends the requests uses the processors, too.
const ALLOWED_DELAY: Duration = Duration::from_millis(5);

/// Compares reads beside random tokens with undisturbed reads, and with reads beside the same requests without tokens. The
/// second comparison shows what the tokens cost, without the cost of the requests and of the program that sends them.
///
/// # Errors
/// When a client cannot be created.
pub(super) async fn guess(site: &Arc<AbuseSite>) -> anyhow::Result<()> {
    let (mut undisturbed, mut beside_requests, mut beside_tokens) = (vec![], vec![], vec![]);
    let mut sent = 0;
    for _ in 0..ROUNDS {
        undisturbed.push(read_beside(site, sleep(DURATION)).await?.1);
        beside_requests.push(read_beside(site, send_all(site, || None)).await?.1);
        let (requests, p99) = read_beside(site, send_all(site, || Some(random_token()))).await?;
        sent += requests;
        beside_tokens.push(p99);
    }
    let [undisturbed, beside_requests, beside_tokens] =
        [undisturbed, beside_requests, beside_tokens].map(median);
    let factor = |before: Duration| beside_tokens.as_secs_f64() / before.as_secs_f64();
    let rate = sent as f64 / (DURATION.as_secs_f64() * ROUNDS as f64);
    println!(
        "random tokens, {rate:.0} requests/s: p99 of reads {beside_tokens:.1?}; without the requests {undisturbed:.1?} \
         ({:.2} x), beside requests without a token {beside_requests:.1?} ({:.2} x)",
        factor(undisturbed),
        factor(beside_requests),
    );
    let is_short = beside_tokens < undisturbed + ALLOWED_DELAY;
    site.check(factor(undisturbed) <= ALLOWED_FACTOR || is_short, || {
        format!("random tokens change the p99 of reads from {undisturbed:.1?} to {beside_tokens:.1?}")
    });
    Ok(())
}

/// Reads during this work. Returns the 99th percentile of the reads, too.
async fn read_beside<T>(site: &AbuseSite, work: impl Future<Output = T>) -> anyhow::Result<(T, Duration)> {
    let (done, reads) = background_clients::run_beside(&site.http, work).await?;
    site.check(reads.failures.is_empty(), || {
        format!("requests of background clients failed: {:?}", reads.failures)
    });
    Ok((done, reads.times.percentile(99).unwrap_or_default()))
}

fn median(times: Vec<Duration>) -> Duration {
    times.into_iter().collect::<Percentiles<_>>().percentile(50).unwrap_or_default()
}

/// Sends requests from all clients. Returns the number of requests that had a response.
async fn send_all(site: &AbuseSite, token: fn() -> Option<String>) -> usize {
    let stop = CancellationToken::new();
    let clients = (0..CLIENTS).map(|number| {
        let address = IpAddr::V4(Ipv4Addr::new(127, 0, 1, number + 1));
        let http = HttpClient::new(site.http.address()).with_source(address).with_time_limit(TIME_LIMIT);
        tokio::spawn(send_until(http, token, stop.clone()))
    });
    let clients: Vec<_> = clients.collect();
    sleep(DURATION).await;
    stop.cancel();
    join_all(clients).await.into_iter().filter_map(Result::ok).sum()
}

async fn send_until(http: HttpClient, token: fn() -> Option<String>, stop: CancellationToken) -> usize {
    let mut sent = 0;
    let mut ticks = interval(REQUEST_INTERVAL);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Skip);
    while stop.run_until_cancelled(ticks.tick()).await.is_some() {
        let request = http.get("/accounts/me").bearer_auth(token().as_deref());
        sent += usize::from(request.send().await.is_ok());
    }
    sent
}

/// A token in the form of service tokens: 40 hexadecimal digits. An api refuses another form without a look at the tokens.
fn random_token() -> String {
    let (high, low) = (Uuid::new_v4().simple(), rand::random::<u32>());
    format!("ghs_{high}{low:08x}")
}
