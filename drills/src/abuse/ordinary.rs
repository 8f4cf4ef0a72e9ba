//! What ordinary clients notice of it.

use std::{
    fmt,
    time::{Duration, Instant},
};

use futures_util::future::join_all;
use tokio::time::{MissedTickBehavior, interval};
use tokio_util::sync::CancellationToken;

use crate::sorted::Sorted;

/// Between two requests of one client.
const PACE: Duration = Duration::from_millis(100);

const PATHS: [&str; 5] =
    ["/guilds/1/10", "/shop/offers", "/news/list/1/10", "/guild/view/Amber%20Circle", "/payments/packages"];

/// How long their requests took, and which were not answered.
#[derive(Debug)]
pub(super) struct Times {
    pub(super) took: Sorted<Duration>,
    pub(super) failed: Vec<String>,
}

impl fmt::Display for Times {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} asked, {} failed, {}", self.took.len(), self.failed.len(), self.took)
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
    let (mut took, mut failed) = (Vec::new(), Vec::new());
    for looked in join_all(clients).await {
        for request in looked?? {
            match request {
                Ok(time) => took.push(time),
                Err(error) => failed.push(error),
            }
        }
    }
    Ok((done, Times { took: took.into_iter().collect(), failed }))
}

/// How long each request took, or why it was not answered.
async fn look(http: reqwest::Client, url: &str, stop: &CancellationToken) -> Vec<Result<Duration, String>> {
    let mut looked = Vec::new();
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
        let answered = asked.await;
        looked.push(answered.map(|_| began.elapsed()).map_err(|error| format!("{path}: {error:?}")));
    }
    looked
}
