//! Growth of RabbitMQ, Redis and Postgres during the drill.

use std::{collections::BTreeMap, time::Duration};

use guildhall_testkit::percentiles::Percentiles;
use parking_lot::Mutex;
use serde_json::{Value, json};
use tokio::time::{sleep, timeout};

use super::{
    server_figures::{Figures, read_postgres, read_rabbitmq, read_redis},
    site::ChaosSite,
};

const SAMPLE_INTERVAL: Duration = Duration::from_secs(15);

/// A server that does not respond in this time has no figures, because of a fault. On a busy machine the start of rabbitmqctl
/// alone takes many seconds.
const READ_TIME_LIMIT: Duration = Duration::from_secs(60);

/// Samples show growth when they are at least this many, and at least this many seconds apart in total. Faults and a slow
/// machine delay samples.
const MIN_SAMPLES: usize = 6;
const MIN_SECONDS: u64 = 170;

const MIB: u64 = 1 << 20;

/// How much a figure may grow.
enum Limit {
    /// The median of the second half may exceed that of the first half by this much. The figure does not depend on how much
    /// load there was.
    Steady(u64),
    /// As `Steady`, for the cache: its entries expire after at most 10 minutes, so samples of the first 10 minutes do not count.
    SteadyAfterExpiry(u64),
    /// No median of a half may exceed this.
    AtMost(u64),
    /// Growth per operation: in the second half at most twice that of the first half, and this much more in total.
    PerOperation(u64),
}

/// The limit of each figure. The number of operations and of locks are only reported: the load explains them.
const LIMITS: [(&str, Limit); 12] = [
    // Its log of quorum queues is kept in memory, up to 64 MiB.
    ("rabbitmq_bytes", Limit::Steady(128 * MIB)),
    ("rabbitmq_queues", Limit::Steady(6)),
    ("rabbitmq_messages", Limit::Steady(1000)),
    ("rabbitmq_connections", Limit::Steady(8)),
    // A publisher has 32 channels.
    ("rabbitmq_channels", Limit::Steady(80)),
    ("redis_bytes", Limit::SteadyAfterExpiry(48 * MIB)),
    ("redis_keys", Limit::SteadyAfterExpiry(20_000)),
    // Each entry of the cache expires.
    ("redis_keys_without_expiry", Limit::AtMost(0)),
    ("postgres_bytes", Limit::PerOperation(64 * MIB)),
    // Autovacuum starts at 20 % of a table.
    ("postgres_dead_tuples", Limit::Steady(100_000)),
    ("postgres_connections", Limit::Steady(24)),
    // The site's limit for an idle transaction is shorter.
    ("postgres_idle_in_transaction", Limit::AtMost(0)),
];

/// The maximum lifetime of a cache entry.
const CACHE_LIFETIME: Duration = Duration::from_secs(600);

/// The values of each figure in the order of time, each with its second of the drill.
#[derive(Default)]
pub(super) struct ServerMonitor(BTreeMap<&'static str, Vec<(u64, u64)>>);

impl ServerMonitor {
    /// Takes samples until it is dropped. A server that does not respond does not delay the samples of the others.
    pub(super) async fn run(&mut self, site: &ChaosSite) {
        let monitor = Mutex::new(self);
        tokio::join!(
            sample(&monitor, site, async || read_rabbitmq(site).await),
            sample(&monitor, site, async || read_redis().await),
            sample(&monitor, site, async || read_postgres(site).await)
        );
    }

    /// The figures with too few samples to show growth.
    pub(super) fn unjudged(&self) -> impl Iterator<Item = &'static str> {
        let names = LIMITS.iter().map(|(name, _)| *name);
        names.filter(|name| !self.0.get(name).is_some_and(|samples| is_enough(samples)))
    }

    fn add(&mut self, second: u64, figures: Figures) {
        for (name, value) in figures {
            self.0.entry(name).or_default().push((second, value));
        }
    }

    /// A violation for each figure that exceeds a fixed limit.
    pub(super) fn exceeded(&self) -> Vec<String> {
        self.violations(|limit| matches!(limit, Limit::AtMost(_)))
    }

    /// A violation for each figure that grew by more than its limit.
    pub(super) fn grown(&self) -> Vec<String> {
        self.violations(|limit| !matches!(limit, Limit::AtMost(_)))
    }

    fn violations(&self, is_judged: impl Fn(&Limit) -> bool) -> Vec<String> {
        let limits = LIMITS.iter().filter(|(_, limit)| is_judged(limit));
        limits.filter_map(|(name, limit)| self.violation(name, limit)).collect()
    }

    fn violation(&self, name: &str, limit: &Limit) -> Option<String> {
        let samples = self.0.get(name)?;
        match limit {
            Limit::Steady(growth) => steady(name, samples, *growth),
            Limit::SteadyAfterExpiry(growth) => {
                let start = samples.first()?.0 + CACHE_LIFETIME.as_secs();
                steady(name, &samples[samples.partition_point(|(second, _)| *second < start)..], *growth)
            }
            Limit::AtMost(most) => {
                let highest = medians(samples)?.into_iter().max()?;
                (highest > *most).then(|| format!("grown: {name} is {highest}, and may be {most}"))
            }
            Limit::PerOperation(more) => {
                per_operation(name, samples, self.0.get("postgres_operations")?, *more)
            }
        }
    }

    /// The medians of each half, and the last value.
    pub(super) fn figures(&self) -> Value {
        let figures = self.0.iter().filter_map(|(name, samples)| {
            let [first, second] = halves(samples).map(median);
            let last = samples.last()?.1;
            let figures = json!({
                "samples": samples.len(), "median_of_first_half": first, "median_of_second_half": second, "last": last,
            });
            Some(((*name).to_owned(), figures))
        });
        figures.collect()
    }
}

async fn sample(
    monitor: &Mutex<&mut ServerMonitor>,
    site: &ChaosSite,
    read: impl AsyncFn() -> anyhow::Result<Figures>,
) {
    loop {
        let second = site.journal.now().as_secs();
        if let Ok(Ok(figures)) = timeout(READ_TIME_LIMIT, read()).await {
            monitor.lock().add(second, figures);
        }
        sleep(SAMPLE_INTERVAL).await;
    }
}

fn is_enough(samples: &[(u64, u64)]) -> bool {
    let [(first, _), .., (last, _)] = samples else { return false };
    samples.len() >= MIN_SAMPLES && last - first >= MIN_SECONDS
}

fn steady(name: &str, samples: &[(u64, u64)], growth: u64) -> Option<String> {
    let [first, second] = medians(samples)?;
    (second > first + growth).then(|| {
        format!("grown: {name} was {first} (median of the first half), and later {second}; {growth} more are allowed")
    })
}

/// Compares the growth of a figure in each half with the operations of the same half.
fn per_operation(name: &str, samples: &[(u64, u64)], operations: &[(u64, u64)], more: u64) -> Option<String> {
    if !is_enough(samples) {
        return None;
    }
    let growth = |samples: &[(u64, u64)]| Some(samples.last()?.1.saturating_sub(samples.first()?.1));
    let [first, second] = halves(samples).map(growth);
    let [first_operations, second_operations] = halves(operations).map(growth);
    let (first, second) = (first?, second?);
    let (first_operations, second_operations) = (first_operations?.max(1), second_operations?);
    let explained = 2 * first * second_operations / first_operations + more;
    (second > explained).then(|| {
        format!(
            "grown: {name} grew by {first} with {first_operations} operations, and then by {second} with {second_operations}"
        )
    })
}

/// The medians of both halves, if there are enough samples.
fn medians(samples: &[(u64, u64)]) -> Option<[u64; 2]> {
    is_enough(samples).then(|| halves(samples).map(median))
}

fn halves(samples: &[(u64, u64)]) -> [&[(u64, u64)]; 2] {
    samples.split_at(samples.len() / 2).into()
}

fn median(samples: &[(u64, u64)]) -> u64 {
    let values = samples.iter().map(|(_, value)| *value);
    values.collect::<Percentiles<_>>().percentile(50).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A drill with a sample each 15 s.
    fn monitor(name: &'static str, samples: usize, value: impl Fn(u64) -> u64) -> ServerMonitor {
        let mut monitor = ServerMonitor::default();
        for index in 0..samples as u64 {
            let operations = ("postgres_operations", index * 1000);
            monitor.add(index * 15, vec![(name, value(index)), operations]);
        }
        monitor
    }

    #[test]
    fn queues_that_are_never_deleted_are_growth() {
        assert!(monitor("rabbitmq_queues", 20, |index| 15 + index % 5).grown().is_empty());
        assert!(monitor("rabbitmq_queues", 8, |index| 15 + index * 2).grown().is_empty());
        let violations = monitor("rabbitmq_queues", 20, |index| 15 + index * 2).grown();
        assert_eq!(
            violations,
            ["grown: rabbitmq_queues was 23 (median of the first half), and later 43; 6 more are allowed"]
        );
    }

    #[test]
    fn cache_may_fill_before_its_entries_expire() {
        let keys = |samples, per_sample| monitor("redis_keys", samples, move |index| index * per_sample);
        assert!(keys(40, 2000).grown().is_empty());
        assert_eq!(keys(120, 2000).grown().len(), 1);
        assert!(monitor("redis_keys", 120, |index| index.min(40) * 2000).grown().is_empty());
    }

    #[test]
    fn keys_without_expiry_are_growth() {
        assert!(monitor("redis_keys_without_expiry", 20, |_| 0).exceeded().is_empty());
        assert_eq!(
            monitor("redis_keys_without_expiry", 20, |index| index).exceeded(),
            ["grown: redis_keys_without_expiry is 14, and may be 0"]
        );
    }

    #[test]
    fn database_may_grow_with_its_operations() {
        let bytes = |index: u64| index * 5 * MIB;
        assert!(monitor("postgres_bytes", 40, bytes).grown().is_empty());
        assert_eq!(monitor("postgres_bytes", 40, |index| index * index * MIB).grown().len(), 1);
    }
}
