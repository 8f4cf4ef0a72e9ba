//! What ordinary clients notice of it.

use std::{
    fmt,
    time::{Duration, Instant},
};

use futures_util::future::join_all;
use tokio::time::{MissedTickBehavior, interval};
use tokio_util::sync::CancellationToken;

/// Between two requests of one client.
const PACE: Duration = Duration::from_millis(100);

const PATHS: [&str; 5] =
    ["/guilds/1/10", "/shop/offers", "/news/list/1/10", "/guild/view/Amber%20Circle", "/payments/packages"];

/// How long their requests took, and which were not answered.
#[derive(Debug, Default)]
pub(super) struct Times {
    took: Vec<Duration>,
    pub(super) failed: Vec<String>,
}

impl Times {
    pub(super) fn answered(&self) -> usize {
        self.took.len()
    }

    pub(super) fn quantile(&self, percent: usize) -> Duration {
        let last = self.took.len().saturating_sub(1);
        self.took.get(last * percent / 100).copied().unwrap_or_default()
    }
}

impl fmt::Display for Times {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [p50, p99, slowest] = [50, 99, 100].map(|percent| self.quantile(percent));
        let (asked, failed) = (self.took.len(), self.failed.len());
        write!(f, "{asked} asked, {failed} failed, p50 {p50:.1?}, p99 {p99:.1?}, slowest {slowest:.1?}")
    }
}

/// Runs this, and meanwhile clients that look at the site: some keep their connection, some open one each time.
pub(super) async fn meanwhile<T>(url: &str, work: impl Future<Output = T>) -> anyhow::Result<(T, Times)> {
    let stop = CancellationToken::new();
    let clients = (0..6).map(|number| {
        let keeps = if number % 2 == 0 { 1 } else { 0 };
        let http = reqwest::Client::builder().no_proxy().pool_max_idle_per_host(keeps);
        let (url, stop) = (url.to_owned(), stop.clone());
        tokio::spawn(async move { anyhow::Ok(look(http.build()?, &url, &stop).await) })
    });
    let clients: Vec<_> = clients.collect();
    let done = work.await;
    stop.cancel();
    let mut all = Times::default();
    for times in join_all(clients).await {
        let Times { took, failed } = times??;
        all.took.extend(took);
        all.failed.extend(failed);
    }
    all.took.sort_unstable();
    Ok((done, all))
}

async fn look(http: reqwest::Client, url: &str, stop: &CancellationToken) -> Times {
    let mut times = Times::default();
    let mut ticks = interval(PACE);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Skip);
    for path in PATHS.iter().cycle() {
        if stop.run_until_cancelled(ticks.tick()).await.is_none() {
            break;
        }
        let began = Instant::now();
        let asked = async {
            let answer = http.get(format!("{url}{path}")).timeout(Duration::from_secs(10)).send().await?;
            answer.error_for_status()?.bytes().await
        };
        match asked.await {
            Ok(_) => times.took.push(began.elapsed()),
            Err(error) => times.failed.push(format!("{path}: {error:?}")),
        }
    }
    times
}
