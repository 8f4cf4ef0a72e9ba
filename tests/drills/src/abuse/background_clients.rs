//! Well-behaved clients that read the site in the background of other work. They show how much that work disturbs others.

use std::{
    fmt,
    time::{Duration, Instant},
};

use futures_util::future::join_all;
use guildhall_testkit::{http::HttpClient, percentiles::Percentiles};
use tokio::time::{MissedTickBehavior, interval};
use tokio_util::sync::CancellationToken;

/// The interval of the requests of one client.
const REQUEST_INTERVAL: Duration = Duration::from_millis(100);

/// The time limit of a response.
const TIME_LIMIT: Duration = Duration::from_secs(30);

const PATHS: [&str; 5] =
    ["/guilds/1/10", "/shop/offers", "/news/list/1/10", "/guild/view/Amber%20Circle", "/payments/packages"];

/// The response times and the failures of the background clients.
#[derive(Debug)]
pub(super) struct BackgroundResult {
    pub(super) times: Percentiles<Duration>,
    pub(super) failures: Vec<String>,
}

impl fmt::Display for BackgroundResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} requests, {} failed, {}", self.times.count(), self.failures.len(), self.times)
    }
}

/// Runs the work and the background clients at the same time. Half of the clients reuse their connection.
pub(super) async fn run_beside<T>(
    http: &HttpClient,
    work: impl Future<Output = T>,
) -> anyhow::Result<(T, BackgroundResult)> {
    let stop = CancellationToken::new();
    let clients = (0..6).map(|number| {
        // Each has connections of its own.
        let http = HttpClient::new(http.address()).with_time_limit(TIME_LIMIT);
        let http = if number % 2 == 0 { http } else { http.without_reuse() };
        let stop = stop.clone();
        tokio::spawn(async move { read_until(&http, &stop).await })
    });
    let clients: Vec<_> = clients.collect();
    let done = work.await;
    stop.cancel();
    let (mut times, mut failures) = (Vec::new(), Vec::new());
    for results in join_all(clients).await {
        for result in results? {
            match result {
                Ok(time) => times.push(time),
                Err(error) => failures.push(error),
            }
        }
    }
    Ok((done, BackgroundResult { times: times.into_iter().collect(), failures }))
}

/// Reads until it is stopped. Returns the response time or the error of each request.
async fn read_until(http: &HttpClient, stop: &CancellationToken) -> Vec<Result<Duration, String>> {
    let mut results = Vec::new();
    let mut ticks = interval(REQUEST_INTERVAL);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Skip);
    for path in PATHS.iter().cycle() {
        if stop.run_until_cancelled(ticks.tick()).await.is_none() {
            break;
        }
        let started = Instant::now();
        results.push(match http.get(path).send().await {
            Ok(response) if response.status < 400 => Ok(started.elapsed()),
            Ok(response) => Err(format!("{path}: {}", response.status)),
            Err(error) => Err(format!("{path}: {error:?}")),
        });
    }
    results
}
