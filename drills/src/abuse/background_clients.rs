//! Well-behaved clients that read the site in the background of other work. They show how much that work disturbs others.

use std::{
    fmt,
    time::{Duration, Instant},
};

use futures_util::future::join_all;
use tokio::time::{MissedTickBehavior, interval};
use tokio_util::sync::CancellationToken;

use crate::percentiles::Percentiles;

/// The interval of the requests of one client.
const REQUEST_INTERVAL: Duration = Duration::from_millis(100);

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
        write!(f, "{} requests, {} failed, {}", self.times.len(), self.failures.len(), self.times)
    }
}

/// Runs the work and the background clients at the same time. Half of the clients reuse their connection.
pub(super) async fn run_beside<T>(
    url: &str,
    work: impl Future<Output = T>,
) -> anyhow::Result<(T, BackgroundResult)> {
    let stop = CancellationToken::new();
    let clients = (0..6).map(|number| {
        let idle_connections = if number % 2 == 0 { 1 } else { 0 };
        let http = reqwest::Client::builder().no_proxy().pool_max_idle_per_host(idle_connections);
        let (url, stop) = (url.to_owned(), stop.clone());
        tokio::spawn(async move { anyhow::Ok(read_until(http.build()?, &url, &stop).await) })
    });
    let clients: Vec<_> = clients.collect();
    let done = work.await;
    stop.cancel();
    let (mut times, mut failures) = (Vec::new(), Vec::new());
    for results in join_all(clients).await {
        for result in results?? {
            match result {
                Ok(time) => times.push(time),
                Err(error) => failures.push(error),
            }
        }
    }
    Ok((done, BackgroundResult { times: times.into_iter().collect(), failures }))
}

/// Reads until it is stopped. Returns the response time or the error of each request.
async fn read_until(
    http: reqwest::Client,
    url: &str,
    stop: &CancellationToken,
) -> Vec<Result<Duration, String>> {
    let mut results = Vec::new();
    let mut ticks = interval(REQUEST_INTERVAL);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Skip);
    for path in PATHS.iter().cycle() {
        if stop.run_until_cancelled(ticks.tick()).await.is_none() {
            break;
        }
        let started = Instant::now();
        let read = async {
            let response = http.get(format!("{url}{path}")).timeout(Duration::from_secs(30)).send().await?;
            response.error_for_status()?.bytes().await
        };
        let result = read.await;
        results.push(result.map(|_| started.elapsed()).map_err(|error| format!("{path}: {error:?}")));
    }
    results
}
