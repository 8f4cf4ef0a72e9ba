//! The injection of a fault, and its end.

use std::{fs, time::Duration};

use anyhow::{Context, ensure};
use guildhall_testkit::environment::setting;
use rand::{RngExt, rngs::StdRng, seq::IteratorRandom};
use tokio::time::{sleep, timeout};

use super::{
    kinds::{Fault, Step},
    postgres, rabbitmq, redis, workers,
};
use crate::{
    chaos::site::ChaosSite,
    process::{Part, Process},
    stack::Stack,
};

/// The offsets of a wrong clock in seconds.
const CLOCK_OFFSETS: [&str; 4] = ["-3600", "-90", "+90", "+3600"];

/// The share of freezes and partitions that are long: longer than the time limit of a statement.
const LONG_OUTAGES: f64 = 0.25;

/// The shortest long outage.
pub(in crate::chaos) const LONG_OUTAGE_MIN: Duration = Duration::from_secs(6);

/// A partition is longer than the cache lease of 2 s.
const PARTITION_MIN: Duration = Duration::from_millis(2500);

/// The time limit until a worker takes a step. There is always load, so it takes every step, at the latest when another
/// fault at the same time has ended.
const STEP_TIME_LIMIT: Duration = Duration::from_secs(60);

/// The random durations of one injection.
struct Durations {
    /// From 0.1 to 2.5 s.
    short: Duration,
    /// From 0.1 to 2.5 s, or the duration of a long outage.
    outage: Duration,
}

impl Durations {
    /// `longest` must be more than [`LONG_OUTAGE_MIN`].
    fn random(random: &mut StdRng, longest: Duration) -> Self {
        let short = Duration::from_millis(random.random_range(100..2500));
        let outage = match random.random_bool(LONG_OUTAGES) {
            true => random.random_range(LONG_OUTAGE_MIN..longest),
            false => short,
        };
        Self { short, outage }
    }
}

/// Begins a fault and ends it. `longest` limits freezes and partitions, and must be more than [`LONG_OUTAGE_MIN`].
///
/// # Errors
/// When the fault cannot be ended. Then later results have no meaning.
pub(in crate::chaos) async fn inject(
    fault: Fault,
    site: &ChaosSite,
    random: &mut StdRng,
    longest: Duration,
) -> anyhow::Result<()> {
    let Durations { short, outage } = Durations::random(random, longest);
    let stack = &site.stack;
    match fault {
        Fault::Kill(part) => kill(stack, random_process(stack, part, random)?, short).await,
        Fault::Freeze(part) => freeze(stack, random_process(stack, part, random)?, outage).await,
        Fault::KillAt(step) => kill_worker_at(site, step, short).await,
        Fault::WorkerJoins => workers::join(stack, short).await,
        Fault::WorkerLeaves => {
            workers::leave(stack, random_process(stack, Part::Workers, random)?, short).await
        }
        Fault::FreezePastLease => {
            let worker = random_process(stack, Part::Workers, random)?;
            workers::freeze_past_lease(stack, worker, LONG_OUTAGE_MIN + outage).await
        }
        Fault::Repartition => workers::repartition(stack, random).await,
        Fault::Skew => {
            let api = random_process(stack, Part::Api, random)?;
            let offset = CLOCK_OFFSETS.into_iter().choose(random).unwrap_or_default();
            skew_clock(stack, api, offset, short).await
        }
        Fault::RollingRestart => restart_all(stack).await,
        Fault::Cut(server) => {
            site.cut(server).await;
            Ok(())
        }
        Fault::Partition(server) => {
            let process = site.clients_of(server).choose(random).context("there is no process")?;
            site.hold(process, server, PARTITION_MIN + outage).await;
            Ok(())
        }
        Fault::Close(Part::Postgres) => postgres::close(&site.database).await,
        Fault::Close(Part::Redis) => redis::close().await,
        Fault::Close(_) => rabbitmq::close(stack).await,
        Fault::Flush => redis::flush().await,
        Fault::Evict => redis::evict(short, random).await,
        // A publisher tries another connection after 4 s.
        Fault::MemoryAlarm => rabbitmq::memory_alarm(stack, short * 3).await,
        Fault::DiskAlarm => rabbitmq::disk_alarm(stack, short * 3).await,
        Fault::FullDisk => rabbitmq::full_disk(stack, short).await,
        Fault::Poison => rabbitmq::poison().await,
        Fault::NoConnections => postgres::no_connections(&site.database, short).await,
        Fault::Locks => postgres::locks(&site.database, random).await,
        Fault::Timeouts => postgres::timeouts(&site.database, short).await,
    }
}

async fn kill(stack: &Stack, process: Process, downtime: Duration) -> anyhow::Result<()> {
    stack.kill(process).await?;
    sleep(downtime).await;
    stack.start(process).await
}

async fn freeze(stack: &Stack, process: Process, duration: Duration) -> anyhow::Result<()> {
    stack.signal(process, "STOP").await?;
    sleep(duration).await;
    stack.signal(process, "CONT").await.map(drop)
}

async fn restart_all(stack: &Stack) -> anyhow::Result<()> {
    for process in stack.services() {
        stack.restart(process).await?;
        // The proxy in front needs this time to see that the process is ready.
        sleep(Duration::from_secs(3)).await;
    }
    Ok(())
}

fn random_process(stack: &Stack, part: Part, random: &mut StdRng) -> anyhow::Result<Process> {
    stack.processes(part).choose(random).with_context(|| format!("there is no {}", part.name()))
}

/// Kills the worker that takes the step first.
async fn kill_worker_at(site: &ChaosSite, step: Step, downtime: Duration) -> anyhow::Result<()> {
    let (server, pattern) = step.pattern();
    let stopped = timeout(STEP_TIME_LIMIT, site.stop_worker_at(server, pattern)).await;
    let worker = stopped.with_context(|| format!("no worker took the step {step:?}"))??;
    site.stack.kill(worker).await?;
    sleep(downtime).await;
    site.stack.start(worker).await
}

async fn skew_clock(stack: &Stack, api: Process, offset: &str, duration: Duration) -> anyhow::Result<()> {
    stack.kill(api).await?;
    stack.start_with(api, &wrong_clock(offset)?).await?;
    // The dynamic linker ignores a library that it cannot load.
    let loaded = fs::read_to_string(format!("/proc/{}/maps", stack.pid(api)?))?;
    ensure!(loaded.contains("libfaketime"), "{} runs without libfaketime", api.name());
    sleep(duration).await;
    stack.kill(api).await?;
    stack.start(api).await
}

/// ChaosSettings for libfaketime, which does not change the monotonic clock.
fn wrong_clock(offset: &str) -> anyhow::Result<[String; 3]> {
    let library = setting("DRILL_FAKETIME")?;
    Ok([
        format!("LD_PRELOAD={library}"),
        format!("FAKETIME={offset}"),
        "FAKETIME_DONT_FAKE_MONOTONIC=1".to_owned(),
    ])
}
