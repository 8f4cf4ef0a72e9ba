//! The faults of a drill, one after the other, each for as long as the site takes to come back.

use std::time::{Duration, Instant};

use anyhow::{Context, ensure};
use rand::{
    RngExt, SeedableRng,
    rngs::StdRng,
    seq::{IndexedRandom, IteratorRandom, SliceRandom},
};
use serde_json::json;
use tokio::time::sleep;

use super::{
    Settings,
    fault::{Fault, LONGEST},
    report::Report,
    site::Site,
};

/// The site has come back when a change has succeeded since, nothing has failed for so long,
const WELL_FOR: Duration = Duration::from_millis(1250);

/// and nobody who has asked since has been waiting for so long: that may still fail.
const NO_WAIT: Duration = Duration::from_millis(2000);

/// When the next fault strikes even if the site has not come back.
const BACK_WITHIN: Duration = Duration::from_secs(30);

/// For how long something may stand still in a short drill.
const SHORTLY: Duration = Duration::from_secs(8);

/// Of the time.
const LEFT_ALIVE: f64 = 0.2;

/// A fault that has struck.
pub(super) struct Struck {
    pub fault: Fault,
    /// Nothing else struck at the same time.
    pub alone: bool,
    pub began: Duration,
    /// When this fault was over,
    pub ended: Duration,
    /// and when the one was that struck at the same time, too.
    pub over: Duration,
    /// When the next one began.
    pub until: Duration,
}

/// Each fault once, in any order; then at random, one in five at the same time as another. In the end the site's own
/// processes are left alive, so that what they hold can be seen to stay the same.
///
/// # Errors
/// When a fault cannot be ended.
pub(super) async fn strike(site: &Site, settings: &Settings, report: &mut Report) -> anyhow::Result<()> {
    let mut random = StdRng::seed_from_u64(settings.seed);
    let mut all = Fault::all(site);
    all.retain(|fault| settings.only.as_ref().is_none_or(|only| fault.name().contains(only)));
    ensure!(!all.is_empty(), "there is no such fault here");
    let mut first = all.clone();
    first.shuffle(&mut random);
    let longest = if settings.short { SHORTLY } else { LONGEST };
    let until = settings.duration();
    let began = Instant::now();
    sleep(WELL_FOR).await;
    loop {
        let (fault, other) = match first.pop() {
            Some(fault) => (fault, None),
            None if began.elapsed() < until => {
                if began.elapsed() > until.mul_f64(1.0 - LEFT_ALIVE)
                    && all.iter().any(|it| !it.ends_service())
                {
                    all.retain(|fault| !fault.ends_service());
                }
                let fault = *all.choose(&mut random).context("there is no fault")?;
                let others = all.iter().filter(|other| fault.may_strike_with(**other)).copied();
                (fault, others.choose(&mut random).filter(|_| random.random_bool(0.2)))
            }
            None => return Ok(()),
        };
        strike_once(site, fault, other, &mut random, longest, report).await?;
        all_run(site, report).await;
    }
}

/// Starts again whoever ended by itself, and tells of it.
pub(super) async fn all_run(site: &Site, report: &mut Report) {
    for process in site.stack.processes(None).filter(|process| !site.stack.runs(*process)) {
        report.violated(site, format!("died: {} ended by itself", process.name())).await;
        if let Err(error) = site.stack.start(process).await {
            report.violated(site, format!("died: {error:#}")).await;
        }
    }
}

async fn strike_once(
    site: &Site,
    fault: Fault,
    other: Option<Fault>,
    random: &mut StdRng,
    longest: Duration,
    report: &mut Report,
) -> anyhow::Result<()> {
    let name = match other {
        Some(other) => format!("{} with {}", fault.name(), other.name()),
        None => fault.name(),
    };
    site.journal.write(&json!({ "fault": name }));
    let began = site.journal.now();
    let mut second = random.fork();
    let strike = async |fault: Fault, random| {
        fault.strike(site, random, longest).await.with_context(|| fault.name())?;
        anyhow::Ok(site.journal.now())
    };
    let (ended, other_ended) = tokio::join!(strike(fault, random), async {
        match other {
            Some(other) => strike(other, &mut second).await,
            None => Ok(began),
        }
    });
    let (ended, other_ended) = (ended?, other_ended?);
    let over = ended.max(other_ended);
    site.journal.write(&json!({ "over": name }));
    if !has_come_back(site, over).await {
        report.violated(site, format!("slow: {name} at {over:.1?}, not back after {BACK_WITHIN:?}")).await;
    }
    let until = site.journal.now();
    let failed = site.journal.last_failure().filter(|failed| *failed > over).unwrap_or(over);
    let quiet = (failed - over).as_secs_f64();
    println!("{:7.1} s  {name}: last failure after {quiet:.1} s", over.as_secs_f64());
    report.struck(Struck { fault, alone: other.is_none(), began, ended, over, until });
    if let Some(other) = other {
        report.struck(Struck { fault: other, alone: false, began, ended: other_ended, over, until });
    }
    if fault == Fault::RollingRestart {
        for noticed in site.journal.noticed(began, until) {
            report.violated(site, format!("noticed: the rolling restart, by {noticed:?}")).await;
        }
    }
    Ok(())
}

/// Waits until all is well; unless it takes too long.
async fn has_come_back(site: &Site, over: Duration) -> bool {
    loop {
        let now = site.journal.now();
        let failed = site.journal.last_failure().unwrap_or_default().max(over);
        let well = site.journal.last_change() > over
            && now.saturating_sub(failed) > WELL_FOR
            && site.journal.longest_wait(over) < NO_WAIT;
        if well || now - over > BACK_WITHIN {
            return well;
        }
        sleep(Duration::from_millis(50)).await;
    }
}
