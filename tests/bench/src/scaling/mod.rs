//! `--workers`: waited commands with one, two and four workers that each have a small share of a processor, and with one and two
//! workers without a limit.

mod cpu_limit;

use std::{
    net::{Ipv4Addr, TcpListener},
    time::{Duration, Instant},
};

use anyhow::ensure;
use guildhall_testkit::environment::setting;
use tokio::time::sleep;

use self::cpu_limit::CpuLimit;
use crate::{
    case::CaseOptions,
    cases::WaitedCommands,
    environment::Environment,
    report,
    rounds::{Round, Rounds},
    services::{Service, ServiceSettings, Services},
    settings::{BenchSettings, ProcessorShare},
    site::BenchSite,
};

/// The time limit until each worker has its share of the partitions.
const ASSIGNMENT_TIME_LIMIT: Duration = Duration::from_secs(30);

/// A number of workers, and the keys of what they reach.
struct Scale {
    workers: usize,
    is_limited: bool,
    commands: WaitedCommands,
}

const fn scale(workers: usize, is_limited: bool, keys: [&'static str; 3]) -> Scale {
    Scale { workers, is_limited, commands: WaitedCommands::motd(64, keys) }
}

const SCALES: [Scale; 5] = [
    scale(1, true, ["limited-1", "limited-1-p50", "limited-1-p99"]),
    scale(2, true, ["limited-2", "limited-2-p50", "limited-2-p99"]),
    scale(4, true, ["limited-4", "limited-4-p50", "limited-4-p99"]),
    scale(1, false, ["unlimited-1", "unlimited-1-p50", "unlimited-1-p99"]),
    scale(2, false, ["unlimited-2", "unlimited-2-p50", "unlimited-2-p99"]),
];

/// Measures all numbers of workers in turn.
///
/// # Errors
/// As the run of the cases; when this process may not limit processor time.
pub(crate) async fn run(settings: &BenchSettings, share: ProcessorShare) -> anyhow::Result<()> {
    let no_settings = ServiceSettings::new();
    let services = Services::start(&no_settings).await?;
    let site = BenchSite::prepare(&setting("GUILDHALL_DATABASE_URL")?).await?;
    let environment =
        Environment::read(&site.database, settings.seconds, settings.options().has_keys).await?;
    services.stop().await?;
    let mut rounds = Rounds::default();
    for number in 1..=settings.rounds {
        println!("round {number} of {}", settings.rounds);
        let mut round = Round::new();
        for scale in &SCALES {
            scale.measure(&site, settings.options(), share, &mut round).await?;
            println!("  {}: {:.0}/s", scale.commands.case, round[scale.commands.case]);
        }
        rounds.push(round);
    }
    report::finish(&rounds, &environment, &settings.files)
}

impl Scale {
    async fn measure(
        &self,
        site: &BenchSite,
        options: CaseOptions,
        share: ProcessorShare,
        round: &mut Round,
    ) -> anyhow::Result<()> {
        let services = Services::start(&ServiceSettings::new()).await?;
        let mut others = vec![];
        for name in ["workers2", "workers3", "workers4"].into_iter().take(self.workers - 1) {
            let listen = free_address()?;
            let address = ("GUILDHALL_WORKERS_LISTEN".to_owned(), listen.clone());
            others.push(Service::start(name, &listen, &vec![address]).await?);
        }
        wait_for_assignment(site, self.workers).await?;
        // The first load warms up.
        self.commands.run(site, CaseOptions { seconds: 1, ..options }).await?;
        let limits = self
            .limit(services.workers.pid().into_iter().chain(others.iter().filter_map(Service::pid)), share)?;
        let result = self.commands.run(site, options).await?;
        round.extend(result.figures.into_iter().map(|(key, value)| (key.to_owned(), value)));
        for worker in others {
            worker.stop().await?;
        }
        services.stop().await?;
        drop(limits);
        Ok(())
    }

    /// Limits each of the processes on its own.
    fn limit(&self, pids: impl Iterator<Item = u32>, share: ProcessorShare) -> anyhow::Result<Vec<CpuLimit>> {
        let pids = if self.is_limited { pids.collect() } else { vec![] };
        let limit = |pid: u32| {
            let limit = CpuLimit::new(&pid.to_string(), share.0)?;
            limit.hold(pid)?;
            Ok(limit)
        };
        pids.into_iter().map(limit).collect()
    }
}

/// An address on loopback with a port that no program uses.
fn free_address() -> anyhow::Result<String> {
    Ok(TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?.local_addr()?.to_string())
}

/// Waits until this number of workers share the partitions evenly.
async fn wait_for_assignment(site: &BenchSite, workers: usize) -> anyhow::Result<()> {
    let started = Instant::now();
    loop {
        let counts: Vec<i64> = sqlx::query_scalar(
            "select count(*) from partitions where domain = 'guild' and number > 0 and worker_id is not null group by worker_id",
        )
        .fetch_all(&site.database)
        .await?;
        let (smallest, largest) = (counts.iter().min(), counts.iter().max());
        let is_even = smallest.zip(largest).is_some_and(|(smallest, largest)| largest - smallest <= 1);
        if counts.len() == workers && is_even {
            return Ok(());
        }
        ensure!(started.elapsed() < ASSIGNMENT_TIME_LIMIT, "the partitions of {workers} workers: {counts:?}");
        sleep(Duration::from_millis(100)).await;
    }
}
