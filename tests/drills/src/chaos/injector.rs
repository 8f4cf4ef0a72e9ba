//! The sequence of faults. The next fault starts when the site has recovered from the last one.

use std::time::{Duration, Instant};

use anyhow::{Context, ensure};
use rand::{
    RngExt, SeedableRng,
    rngs::StdRng,
    seq::{IndexedRandom, IteratorRandom, SliceRandom},
};
use serde_json::json;
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;

use super::{
    fault::{Fault, LONG_OUTAGE_MIN, inject},
    injected_fault::InjectedFault,
    recovery::QUIET_PERIOD,
    report::Report,
    settings::ChaosSettings,
    site::ChaosSite,
};

/// The site has not recovered while a request that was sent since the fault is older than this: it may still fail.
const MAX_REQUEST_AGE: Duration = Duration::from_millis(2000);

/// Without faults, the drill measures for this long how fast the machine is.
const CALIBRATION_TIME: Duration = Duration::from_secs(8);

/// After this time the next fault starts even without a recovery.
const RECOVERY_TIME_LIMIT: Duration = Duration::from_secs(30);

/// The longest freeze or partition in a short drill.
const LONGEST_OUTAGE_SHORT: Duration = Duration::from_secs(8);

/// The longest freeze or partition: longer than RabbitMQ waits for heartbeats, two times five seconds.
const LONGEST_OUTAGE: Duration = Duration::from_secs(26);

/// The share of the time, at the end, in which no fault ends an api or a worker. Their resource usage is measured then.
const STABLE_SHARE: f64 = 0.2;

/// The share of injections of two faults at the same time.
const TWO_FAULTS: f64 = 0.2;

/// Chooses the faults: first each once in random order, then random ones, some with a second fault.
struct Schedule {
    /// Faults that were not injected yet.
    first: Vec<Fault>,
    all: Vec<Fault>,
    started: Instant,
    duration: Duration,
}

impl Schedule {
    fn new(site: &ChaosSite, settings: &ChaosSettings, random: &mut StdRng) -> anyhow::Result<Self> {
        let mut all = Fault::all(site);
        all.retain(|fault| settings.only.as_ref().is_none_or(|only| fault.name().contains(only)));
        ensure!(!all.is_empty(), "no fault has this name");
        let mut first = all.clone();
        first.shuffle(random);
        Ok(Self { first, all, started: Instant::now(), duration: settings.duration() })
    }

    /// The next fault, and a second one for the same time. `None` at the end.
    fn next(&mut self, random: &mut StdRng) -> Option<(Fault, Option<Fault>)> {
        if let Some(fault) = self.first.pop() {
            return Some((fault, None));
        }
        if self.started.elapsed() >= self.duration {
            return None;
        }
        let is_stable_period = self.started.elapsed() > self.duration.mul_f64(1.0 - STABLE_SHARE);
        if is_stable_period && self.all.iter().any(|fault| !fault.ends_service()) {
            self.all.retain(|fault| !fault.ends_service());
        }
        let fault = *self.all.choose(random)?;
        let compatible = self.all.iter().filter(|other| fault.is_compatible_with(**other)).copied();
        Some((fault, compatible.choose(random).filter(|_| random.random_bool(TWO_FAULTS))))
    }
}

/// Injects faults until the end of the drill, or until a task of the drill has panicked.
///
/// # Errors
/// When a fault cannot be ended.
pub(super) async fn run(
    site: &ChaosSite,
    settings: &ChaosSettings,
    report: &mut Report,
    panicked: &CancellationToken,
) -> anyhow::Result<()> {
    let mut random = StdRng::seed_from_u64(settings.seed);
    let mut schedule = Schedule::new(site, settings, &mut random)?;
    let longest_outage = if settings.short { LONGEST_OUTAGE_SHORT } else { LONGEST_OUTAGE };
    debug_assert!(longest_outage > LONG_OUTAGE_MIN);
    calibrate(site).await;
    while !panicked.is_cancelled() {
        let Some((fault, second)) = schedule.next(&mut random) else { break };
        let name = match second {
            Some(second) => format!("{} with {}", fault.name(), second.name()),
            None => fault.name(),
        };
        site.journal.write(&json!({ "fault": name }));
        let [first, second] = inject_together(site, fault, second, &mut random, longest_outage).await?;
        site.journal.write(&json!({ "ended": name }));
        let injected = first.into_iter().chain(second).collect();
        wait_and_record(site, &name, injected, settings.short, report).await;
        restart_ended_processes(site, report).await;
    }
    Ok(())
}

/// Measures the speed of this machine without faults. Time limits are longer on a slow machine.
async fn calibrate(site: &ChaosSite) {
    let started = site.journal.now();
    sleep(CALIBRATION_TIME).await;
    let slowness = site.journal.calibrate(started);
    println!("time limits are multiplied by {slowness:.2}, for the speed of this machine");
}

/// Restarts processes that have ended on their own. Each is a violation.
pub(super) async fn restart_ended_processes(site: &ChaosSite, report: &mut Report) {
    for process in site.stack.processes(None).filter(|process| !site.stack.is_running(*process)) {
        report.add_violation(site, format!("died: {} has ended on its own", process.name())).await;
        if let Err(error) = site.stack.start(process).await {
            report.add_violation(site, format!("died: {error:#}")).await;
        }
    }
}

/// Injects one or two faults. The time of the recovery is not known yet.
async fn inject_together(
    site: &ChaosSite,
    fault: Fault,
    second: Option<Fault>,
    random: &mut StdRng,
    longest_outage: Duration,
) -> anyhow::Result<[Option<InjectedFault>; 2]> {
    let started = site.journal.now();
    let mut second_random = random.fork();
    let inject_one = async |fault: Fault, random| {
        inject(fault, site, random, longest_outage).await.with_context(|| fault.name())?;
        anyhow::Ok(site.journal.now())
    };
    let (ended, second_ended) = tokio::join!(inject_one(fault, random), async {
        match second {
            Some(second) => inject_one(second, &mut second_random).await,
            None => Ok(started),
        }
    });
    let (ended, second_ended) = (ended?, second_ended?);
    let injected = |fault, ended: Duration| InjectedFault {
        fault,
        is_alone: second.is_none(),
        started,
        ended,
        all_ended: ended,
        next_started: ended,
    };
    let all_ended = ended.max(second_ended);
    let first = InjectedFault { all_ended, ..injected(fault, ended) };
    let second = second.map(|second| InjectedFault { all_ended, ..injected(second, second_ended) });
    Ok([Some(first), second])
}

/// Waits for the recovery, and adds the faults to the report.
async fn wait_and_record(
    site: &ChaosSite,
    name: &str,
    injected: Vec<InjectedFault>,
    is_short: bool,
    report: &mut Report,
) {
    let Some(&InjectedFault { started, all_ended, .. }) = injected.first() else { return };
    if !wait_for_recovery(site, all_ended).await {
        let limit = RECOVERY_TIME_LIMIT.mul_f64(site.journal.slowness());
        let line = format!("slow: {name} at {all_ended:.1?}: no recovery within {limit:.1?}");
        if is_short {
            println!("not judged in a short drill: {line}");
        } else {
            report.add_violation(site, line).await;
        }
    }
    let next_started = site.journal.now();
    let last_failure = site.journal.last_failure().filter(|failed| *failed > all_ended).unwrap_or(all_ended);
    let seconds = (last_failure - all_ended).as_secs_f64();
    println!("{:7.1} s  {name}: last failure after {seconds:.1} s", all_ended.as_secs_f64());
    let is_rolling_restart = injected.iter().any(|injected| injected.fault == Fault::RollingRestart);
    for fault in injected {
        report.add_fault(InjectedFault { next_started, ..fault });
    }
    if is_rolling_restart {
        let errors = site.journal.visible_errors(started, next_started);
        let lines =
            errors.iter().map(|error| format!("noticed: an error during the rolling restart: {error:?}"));
        report.add_violations(site, lines.collect::<Vec<_>>()).await;
    }
}

/// Waits until a change has succeeded and nothing has failed for a while. Returns whether that happened in time.
async fn wait_for_recovery(site: &ChaosSite, all_ended: Duration) -> bool {
    let slowness = site.journal.slowness();
    loop {
        let now = site.journal.now();
        let last_failure = site.journal.last_failure().unwrap_or_default().max(all_ended);
        let has_recovered = site.journal.last_change() > all_ended
            && now.saturating_sub(last_failure) > QUIET_PERIOD
            && site.journal.longest_wait(all_ended) < MAX_REQUEST_AGE.mul_f64(slowness);
        if has_recovered || now - all_ended > RECOVERY_TIME_LIMIT.mul_f64(slowness) {
            return has_recovered;
        }
        sleep(Duration::from_millis(50)).await;
    }
}
