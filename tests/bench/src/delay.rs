//! `--delay`: waited commands and purchases while each round trip to Postgres, RabbitMQ and Redis takes longer, as between machines.

use std::time::{Duration, Instant};

use guildhall_testkit::{environment::setting, percentiles::Percentiles, proxy::Proxy};

use crate::{
    cases::{self, WaitedCommands},
    environment::Environment,
    report,
    rounds::{Round, Rounds},
    services::{ServiceSettings, Services},
    settings::{BenchSettings, Delay},
    site::BenchSite,
};

/// The settings with the URLs of the servers.
const SERVERS: [&str; 3] = ["GUILDHALL_DATABASE_URL", "GUILDHALL_AMQP_URL", REDIS_URL];

const REDIS_URL: &str = "GUILDHALL_REDIS_URL";

/// The number of PINGs that measure a round trip.
const PINGS: usize = 200;

const DIRECT: [WaitedCommands; 3] = [
    WaitedCommands::motd(64, ["direct-64", "direct-64-p50", "direct-64-p99"]),
    WaitedCommands::motd(1, ["direct-1", "direct-1-p50", "direct-1-p99"]),
    WaitedCommands::ranks(["direct-ranks", "direct-ranks-p50", "direct-ranks-p99"]),
];

const DELAYED: [WaitedCommands; 3] = [
    WaitedCommands::motd(64, ["delayed-64", "delayed-64-p50", "delayed-64-p99"]),
    WaitedCommands::motd(1, ["delayed-1", "delayed-1-p50", "delayed-1-p99"]),
    WaitedCommands::ranks(["delayed-ranks", "delayed-ranks-p50", "delayed-ranks-p99"]),
];

/// The keys of the rate, the median and the 99th percentile of purchases.
const DIRECT_PURCHASES: [&str; 3] = ["direct-purchase", "direct-purchase-p50", "direct-purchase-p99"];

const DELAYED_PURCHASES: [&str; 3] = ["delayed-purchase", "delayed-purchase-p50", "delayed-purchase-p99"];

/// Measures waited commands and purchases in turn without and with the delay.
///
/// # Errors
/// As the run of the cases.
pub(crate) async fn run(settings: &BenchSettings, delay: Delay) -> anyhow::Result<()> {
    let direct = ServiceSettings::new();
    let mut proxies = Vec::new();
    for name in SERVERS {
        proxies.push((name, Proxy::with_delay(&setting(name)?, delay.0).await?));
    }
    let delayed = through(&proxies);
    let services = Services::start(&direct).await?;
    let site = BenchSite::prepare(&setting("GUILDHALL_DATABASE_URL")?).await?;
    let environment =
        Environment::read(&site.database, settings.seconds, settings.options().has_keys).await?;
    services.stop().await?;
    let mut rounds = Rounds::default();
    for number in 1..=settings.rounds {
        println!("round {number} of {}", settings.rounds);
        let mut round = Round::new();
        for (settings_of_services, cases, purchases, ping) in [
            (&direct, &DIRECT, DIRECT_PURCHASES, "round-trip-direct"),
            (&delayed, &DELAYED, DELAYED_PURCHASES, "round-trip-delayed"),
        ] {
            let services = Services::start(settings_of_services).await?;
            round.insert(ping.to_owned(), round_trip_ms(settings_of_services).await?);
            // The first one warms up.
            cases[1].run(&site, settings.options()).await?;
            let mut results = vec![cases::purchase(&site, settings.options(), purchases).await?];
            for case in cases {
                results.push(case.run(&site, settings.options()).await?);
            }
            for result in results {
                round.extend(result.figures.into_iter().map(|(key, value)| (key.to_owned(), value)));
            }
            services.stop().await?;
        }
        rounds.push(round);
    }
    report::finish(&rounds, &environment, &settings.files)
}

/// The settings that lead to proxies.
fn through(proxies: &[(&str, Proxy)]) -> ServiceSettings {
    proxies.iter().map(|(name, proxy)| ((*name).to_owned(), proxy.url.clone())).collect()
}

/// The median time of a PING of Redis in milliseconds.
async fn round_trip_ms(settings: &ServiceSettings) -> anyhow::Result<f64> {
    let url = settings.iter().find(|(name, _)| name == REDIS_URL).map(|(_, url)| url.clone());
    let url = url.map_or_else(|| setting(REDIS_URL), Ok)?;
    let mut redis = redis::Client::open(url)?.get_multiplexed_async_connection().await?;
    let mut times = Vec::with_capacity(PINGS);
    for _ in 0..PINGS {
        let started = Instant::now();
        redis::cmd("PING").query_async::<String>(&mut redis).await?;
        times.push(started.elapsed());
    }
    let times: Percentiles<Duration> = times.into_iter().collect();
    Ok(times.percentile(50).unwrap_or_default().as_secs_f64() * 1000.0)
}
