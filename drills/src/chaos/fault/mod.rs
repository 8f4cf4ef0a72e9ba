//! What goes wrong: one thing at a time, or two.

mod postgres;
mod rabbitmq;
pub(super) mod redis;

use std::{fs, time::Duration};

use anyhow::{Context, ensure};
use rand::{RngExt, rngs::StdRng, seq::IteratorRandom};
use tokio::time::{sleep, timeout};

use super::site::Site;
use crate::{
    stack::{Part, Process, Stack},
    wire::Passing,
};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Fault {
    /// SIGKILL, and started again.
    Kill(Part),
    /// SIGSTOP, and SIGCONT.
    Freeze(Part),
    /// All connections of the site's processes to this server are cut in the middle of what they carry; or those of
    /// everybody to the apis.
    Cut(Part),
    /// This server says goodbye to all of them.
    Close(Part),
    /// One of the site's processes cannot reach this server, which is there for the others.
    Partition(Part),
    /// A worker is killed as it takes this step.
    KillAt(Step),
    /// An api is killed, and its clock is wrong from then on, until it is started once more.
    Skew,
    /// Redis forgets everything.
    Flush,
    /// Redis has less memory than it needs, or next to none: it throws away what it can, and refuses the rest.
    Evict,
    /// RabbitMQ takes no messages for want of memory.
    MemoryAlarm,
    /// RabbitMQ takes no messages because it wants more disk than there is.
    DiskAlarm,
    /// RabbitMQ's disk is full, until there is room again.
    FullDisk,
    /// Somebody else takes all connections of Postgres that the site is not quick enough for.
    NoConnections,
    /// Somebody holds locks on whole tables, for longer than a statement waits.
    Locks,
    /// Every statement is ended as by its time limit.
    Timeouts,
    /// A message that is none.
    Poison,
    /// Each api and worker in turn is told to stop and started again. Nobody may notice: for a cluster.
    RollingRestart,
}

/// In what a worker does, told by what passes between it and a server.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Step {
    BeforeCommit,
    AfterCommit,
    AfterInvalidation,
    BeforeAck,
}

impl Step {
    const ALL: [Self; 4] = [Self::BeforeCommit, Self::AfterCommit, Self::AfterInvalidation, Self::BeforeAck];

    fn passing(self) -> (Part, Passing) {
        match self {
            // https://www.postgresql.org/docs/current/protocol-message-formats.html: Query, CommandComplete
            Self::BeforeCommit => (Part::Postgres, Passing { to_server: true, bytes: b"COMMIT\0" }),
            Self::AfterCommit => (Part::Postgres, Passing { to_server: false, bytes: b"COMMIT\0" }),
            // The answer to UNLINK is an integer, and that to PING is none.
            Self::AfterInvalidation => (Part::Redis, Passing { to_server: false, bytes: b":" }),
            // AMQP 0-9-1: 13 bytes of class 60, basic; method 80, ack
            Self::BeforeAck => {
                (Part::Rabbitmq, Passing { to_server: true, bytes: &[0, 0, 0, 13, 0, 60, 0, 80] })
            }
        }
    }
}

/// By how much a wrong clock is wrong; seconds.
const SKEWS: [&str; 4] = ["-3600", "-90", "+90", "+3600"];

/// Of the freezes and partitions, so many last longer than a statement may take,
const LONG: f64 = 0.25;

/// and some longer than RabbitMQ goes without a heartbeat: two times ten seconds.
pub(super) const LONGEST: Duration = Duration::from_secs(26);
const LONGER: Duration = Duration::from_secs(6);

/// More than the cache is trusted for: 2 s.
const PARTED: Duration = Duration::from_millis(2500);

/// There is always some load, so a worker takes any step, if only when what strikes at the same time is over.
const TAKEN_WITHIN: Duration = Duration::from_secs(60);

impl Fault {
    /// Each that this site can have.
    #[must_use]
    pub(super) fn all(site: &Site) -> Vec<Self> {
        let mut all = Vec::new();
        for part in Part::ALL {
            all.extend([Self::Kill(part), Self::Freeze(part)]);
        }
        for server in [Part::Postgres, Part::Redis, Part::Rabbitmq, Part::Sandbox] {
            all.extend([Self::Cut(server), Self::Partition(server)]);
        }
        all.push(Self::Cut(Part::Api));
        all.extend([Part::Postgres, Part::Redis, Part::Rabbitmq].map(Self::Close));
        all.extend(Step::ALL.map(Self::KillAt));
        all.extend([Self::Skew, Self::Flush, Self::Evict, Self::MemoryAlarm, Self::DiskAlarm]);
        all.extend([Self::NoConnections, Self::Locks, Self::Timeouts, Self::Poison]);
        if rabbitmq::small_disk().is_some() {
            all.push(Self::FullDisk);
        }
        if site.stack.processes(Part::Api).count() > 1 {
            all.push(Self::RollingRestart);
        }
        all
    }

    #[must_use]
    pub(super) fn name(self) -> String {
        match self {
            Self::Kill(part) => format!("kill {}", part.name()),
            Self::Freeze(part) => format!("freeze {}", part.name()),
            Self::Cut(part) => format!("cut {}", part.name()),
            Self::Close(part) => format!("close {}", part.name()),
            Self::Partition(part) => format!("partition {}", part.name()),
            Self::KillAt(Step::BeforeCommit) => "kill workers before commit".to_owned(),
            Self::KillAt(Step::AfterCommit) => "kill workers after commit".to_owned(),
            Self::KillAt(Step::AfterInvalidation) => "kill workers after invalidation".to_owned(),
            Self::KillAt(Step::BeforeAck) => "kill workers before ack".to_owned(),
            Self::Skew => "skew api".to_owned(),
            Self::Flush => "flush redis".to_owned(),
            Self::Evict => "evict redis".to_owned(),
            Self::MemoryAlarm => "memory alarm".to_owned(),
            Self::DiskAlarm => "disk alarm".to_owned(),
            Self::FullDisk => "full disk".to_owned(),
            Self::NoConnections => "no connections".to_owned(),
            Self::Locks => "locks".to_owned(),
            Self::Timeouts => "timeouts".to_owned(),
            Self::Poison => "poison".to_owned(),
            Self::RollingRestart => "rolling restart".to_owned(),
        }
    }

    /// Whether both may strike at the same time: if each can be ended without the other.
    #[must_use]
    pub(super) fn may_strike_with(self, other: Self) -> bool {
        self.part() != other.part() && self != Self::RollingRestart && other != Self::RollingRestart
    }

    /// What it strikes.
    #[must_use]
    pub(super) fn part(self) -> Part {
        match self {
            Self::Kill(part)
            | Self::Freeze(part)
            | Self::Cut(part)
            | Self::Close(part)
            | Self::Partition(part) => part,
            Self::KillAt(_) => Part::Workers,
            Self::Skew | Self::RollingRestart => Part::Api,
            Self::Flush | Self::Evict => Part::Redis,
            Self::MemoryAlarm | Self::DiskAlarm | Self::FullDisk | Self::Poison => Part::Rabbitmq,
            Self::NoConnections | Self::Locks | Self::Timeouts => Part::Postgres,
        }
    }

    /// Whether a process of the site's own is another afterwards.
    #[must_use]
    pub(super) fn ends_service(self) -> bool {
        use Fault::{Kill, KillAt, RollingRestart, Skew};
        matches!(self, Kill(Part::Api | Part::Workers) | KillAt(_) | Skew | RollingRestart)
    }

    /// When everybody must be answered as before, after it is over.
    #[must_use]
    pub(super) fn recovers_within(self) -> Duration {
        Duration::from_secs(match self.part() {
            Part::Api | Part::Workers => 2,
            Part::Postgres | Part::Redis | Part::Sandbox => 5,
            Part::Rabbitmq => 10,
        })
    }

    /// Lets it happen, and ends it. Nothing is frozen for longer than `longest`, which must be more than [`LONGER`].
    ///
    /// # Errors
    /// When it cannot be ended: then nothing that follows tells anything.
    pub(super) async fn strike(
        self,
        site: &Site,
        random: &mut StdRng,
        longest: Duration,
    ) -> anyhow::Result<()> {
        let lasts = Duration::from_millis(random.random_range(100..2500));
        let silent = match random.random_bool(LONG) {
            true => random.random_range(LONGER..longest),
            false => lasts,
        };
        let stack = &site.stack;
        match self {
            Self::Kill(part) => {
                let process = any(stack, part, random)?;
                stack.kill(process).await?;
                sleep(lasts).await;
                stack.start(process).await
            }
            Self::Freeze(part) => {
                let process = any(stack, part, random)?;
                stack.signal(process, "STOP").await?;
                sleep(silent).await;
                stack.signal(process, "CONT").await.map(drop)
            }
            Self::Cut(server) => {
                site.cut(server).await;
                Ok(())
            }
            Self::Partition(server) => {
                let process = site.clients(server).choose(random).context("there is no process")?;
                site.hold(process, server, PARTED + silent).await;
                Ok(())
            }
            Self::KillAt(step) => kill_at(site, step, lasts).await,
            Self::Skew => {
                let api = any(stack, Part::Api, random)?;
                let skew = SKEWS.into_iter().choose(random).unwrap_or_default();
                stack.kill(api).await?;
                stack.start_with(api, &wrong_clock(skew)?).await?;
                // A library that cannot be loaded is passed over without an error.
                let loaded = fs::read_to_string(format!("/proc/{}/maps", stack.pid(api)?))?;
                ensure!(loaded.contains("libfaketime"), "the clock of {} is right", api.name());
                sleep(lasts).await;
                stack.kill(api).await?;
                stack.start(api).await
            }
            Self::RollingRestart => {
                for process in stack.services() {
                    stack.restart(process).await?;
                    // Until whoever is in front has seen that it is back.
                    sleep(Duration::from_secs(3)).await;
                }
                Ok(())
            }
            Self::Close(Part::Postgres) => postgres::close(&site.database).await,
            Self::Close(Part::Redis) => redis::close().await,
            Self::Close(_) => rabbitmq::close(stack).await,
            Self::Flush => redis::flush().await,
            Self::Evict => redis::evict(lasts, random).await,
            // Who publishes tries another connection after 4 s.
            Self::MemoryAlarm => rabbitmq::memory_alarm(stack, lasts * 3).await,
            Self::DiskAlarm => rabbitmq::disk_alarm(stack, lasts * 3).await,
            Self::FullDisk => rabbitmq::full_disk(stack, lasts).await,
            Self::Poison => rabbitmq::poison().await,
            Self::NoConnections => postgres::no_connections(&site.database, lasts).await,
            Self::Locks => postgres::locks(&site.database, random).await,
            Self::Timeouts => postgres::timeouts(&site.database, lasts).await,
        }
    }
}

fn any(stack: &Stack, part: Part, random: &mut StdRng) -> anyhow::Result<Process> {
    stack.processes(part).choose(random).with_context(|| format!("there is no {}", part.name()))
}

/// Whichever worker takes the step first dies of it.
async fn kill_at(site: &Site, step: Step, lasts: Duration) -> anyhow::Result<()> {
    let (server, passing) = step.passing();
    let taken = timeout(TAKEN_WITHIN, site.worker_stopped_at(server, passing)).await;
    let worker = taken.with_context(|| format!("no worker took the step {step:?}"))??;
    site.stack.kill(worker).await?;
    sleep(lasts).await;
    site.stack.start(worker).await
}

/// By libfaketime, which leaves the clock that only ever goes forward alone.
fn wrong_clock(skew: &str) -> anyhow::Result<[String; 3]> {
    let library = Stack::setting("DRILL_FAKETIME")?;
    Ok([
        format!("LD_PRELOAD={library}"),
        format!("FAKETIME={skew}"),
        "FAKETIME_DONT_FAKE_MONOTONIC=1".to_owned(),
    ])
}
