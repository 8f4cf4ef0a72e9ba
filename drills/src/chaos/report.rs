//! What a drill has found, and how fast the site came back.

use std::{collections::BTreeMap, time::Duration};

use anyhow::ensure;
use serde_json::{Value, json};

use super::{Settings, fault::Fault, footprint::Footprints, site::Site, story, strike::Struck};
use crate::{
    journal::Tried,
    sorted::Sorted,
    stack::{Part, Process, Stack},
};

/// An attempt that took longer hung, besides what it asked to wait and while an api stood still: the api gives itself 15 s,
/// and 5 s in which it waits for an outcome.
const HANGS: Duration = Duration::from_secs(21);

/// In a drill of that length everybody is left alone for long enough to see whether it grows.
const TELLING: Duration = Duration::from_secs(30 * 60);

/// Violations of which the whole story is told.
const STORIES: usize = 10;

#[derive(Default)]
pub(super) struct Report {
    struck: Vec<Struck>,
    violations: Vec<String>,
}

impl Report {
    pub(super) fn struck(&mut self, struck: Struck) {
        self.struck.push(struck);
    }

    /// How often this fault has struck.
    pub(super) fn times(&self, fault: Fault) -> usize {
        self.struck.iter().filter(|struck| struck.fault == fault).count()
    }

    /// Tells it, with all that is known of the operation or delivery that it names.
    pub(super) async fn violated(&mut self, site: &Site, violation: String) {
        println!("\n{violation}");
        site.journal.write(&json!({ "violation": violation }));
        if self.violations.len() < STORIES {
            for line in story::of(site, &violation).await {
                println!("    {line}");
            }
        }
        self.violations.push(violation);
    }

    /// Writes the figures, and fails when there is anything to be ashamed of.
    pub(super) async fn finish(
        mut self,
        site: &Site,
        footprints: &Footprints,
        about: Value,
        settings: &Settings,
    ) -> anyhow::Result<()> {
        let tried = site.journal.tried();
        for struck in slow(&self.struck, &tried) {
            self.violated(site, struck).await;
        }
        let hangs = |tried: &&Tried| tried.took() > HANGS + tried.wait + stood_still(&self.struck, tried);
        for hung in tried.iter().filter(hangs).collect::<Vec<_>>() {
            self.violated(site, format!("hung: {hung:?}")).await;
        }
        for grown in footprints.grown() {
            self.violated(site, grown).await;
        }
        // Faults of one kind may let nobody live for long.
        let untold =
            footprints.untold(site).filter(|_| settings.only.is_none() && settings.duration() >= TELLING);
        for name in untold {
            self.violated(site, format!("grown: or not: {name} never lived for long")).await;
        }
        let kind = |kind: &str| self.violations.iter().filter(|it| it.starts_with(kind)).count();
        let told = site.journal.told();
        let longest = tried.iter().map(|it| it.took().saturating_sub(stood_still(&self.struck, it))).max();
        let mut figures = about;
        for (name, figure) in [
            ("seconds", json!(site.journal.now().as_secs())),
            ("requests", json!(tried.len())),
            ("answered", json!(site.journal.answered())),
            ("longest_attempt_ms", json!(longest.unwrap_or_default().as_millis())),
            ("operations", json!(told.len())),
            ("accepted", json!(told.values().filter(|told| told.outcome.is_ok()).count())),
            ("refused", json!(told.values().filter(|told| told.outcome.is_err()).count())),
            ("faults", json!(self.struck.len())),
            ("lost", json!(kind("lost"))),
            ("duplicated", json!(kind("duplicated"))),
            ("stale", json!(kind("stale"))),
            ("hung", json!(kind("hung"))),
            ("violations", json!(self.violations.len())),
            ("by_fault", by_fault(&self.struck, &tried)),
            ("footprints", footprints.figures()),
        ] {
            figures[name] = figure;
        }
        println!("{figures:#}");
        if let Some(file) = &settings.json {
            std::fs::write(file, format!("{figures:#}\n"))?;
        }
        ensure!(self.violations.is_empty(), "{} violations", self.violations.len());
        Ok(())
    }
}

/// What was run, on what.
///
/// # Errors
/// When a server does not tell its version.
pub(super) async fn about(site: &Site) -> anyhow::Result<Value> {
    let postgres: String = sqlx::query_scalar("show server_version").fetch_one(&site.database).await?;
    let date: String = sqlx::query_scalar("select current_date::text").fetch_one(&site.database).await?;
    let rabbitmq = site.stack.dev(&["part", "rabbitmqctl", "version"]).await?;
    // "Redis server v=7.0.15 sha=…"
    let redis = Stack::run("redis-server", &["--version"]).await?;
    let redis = redis.split_whitespace().find_map(|word| word.strip_prefix("v="));
    // Where it was cloned, and not unpacked.
    let commit = Stack::run("git", &["describe", "--always", "--dirty"]).await.ok();
    let commit = commit.as_deref().map(str::trim);
    let arguments: Vec<_> = std::env::args().skip(1).collect();
    Ok(json!({
        "command": format!("./dev drill {}", arguments.join(" ")).trim_end(),
        "date": date,
        "guildhall": env!("CARGO_PKG_VERSION"),
        "commit": commit,
        "rabbitmq": rabbitmq.trim(),
        "postgres": postgres,
        "redis": redis,
        "cpus": std::thread::available_parallelism()?.get(),
        "processes": site.stack.processes(None).map(Process::name).collect::<Vec<_>>(),
    }))
}

/// A line for each fault after which it took too long until a change succeeded, or until nothing failed any more.
fn slow(struck: &[Struck], tried: &[Tried]) -> Vec<String> {
    let mut slow = Vec::new();
    for struck in struck.iter().filter(|struck| struck.alone) {
        let (name, over, limit) = (struck.fault.name(), struck.over, struck.fault.recovers_within());
        let changed = first_success(struck, tried);
        if changed > limit {
            slow.push(format!("slow: {name} at {over:.1?} let nothing change for {changed:.1?}"));
        }
        if let Some(last) = last_failure(struck, tried).filter(|last| last.at - over > limit) {
            let (took, key) = (last.at - over, last.key);
            slow.push(format!("slow: {name} at {over:.1?} was error-free after {took:.1?}, with {key}"));
        }
    }
    slow
}

/// For how long an api was frozen while this was under way.
fn stood_still(struck: &[Struck], tried: &Tried) -> Duration {
    let frozen = struck.iter().filter(|struck| struck.fault == Fault::Freeze(Part::Api));
    frozen.map(|struck| struck.ended.min(tried.at).saturating_sub(struck.began.max(tried.sent))).sum()
}

/// From the end of a fault until a change was settled that was sent since.
fn first_success(struck: &Struck, tried: &[Tried]) -> Duration {
    let mut since = between(struck.over, struck.until, tried).filter(|it| it.sent >= struck.over);
    let first = since.find(|it| it.well && it.change);
    first.map_or(struck.until, |it| it.at) - struck.over
}

/// Of the requests that were sent after the end of a fault. What was sent before may still fail when its time is over.
fn last_failure<'a>(struck: &Struck, tried: &'a [Tried]) -> Option<&'a Tried> {
    let failed = between(struck.over, struck.until, tried).filter(|it| !it.well);
    failed.filter(|it| it.sent >= struck.over).last()
}

/// From the beginning of a fault to the last failure of whatever request.
fn failing(struck: &Struck, tried: &[Tried]) -> Duration {
    let last = between(struck.began, struck.until, tried).filter(|it| !it.well).last();
    last.map_or(Duration::ZERO, |last| last.at - struck.began)
}

fn between(from: Duration, until: Duration, tried: &[Tried]) -> impl Iterator<Item = &Tried> {
    // They were written down in the order in which they ended.
    let first = tried.partition_point(|it| it.at <= from);
    tried[first..].iter().take_while(move |it| it.at < until)
}

/// How often each struck, and when it struck alone: from its end to the first change that succeeded and to the last failure of what
/// was sent since, and from its beginning to the last failure.
fn by_fault(struck: &[Struck], tried: &[Tried]) -> Value {
    let mut times: BTreeMap<String, (usize, [Vec<Duration>; 3])> = BTreeMap::new();
    for struck in struck {
        let (count, [successes, failures, whole]) = times.entry(struck.fault.name()).or_default();
        *count += 1;
        if struck.alone {
            successes.push(first_success(struck, tried));
            failures.push(last_failure(struck, tried).map_or(Duration::ZERO, |last| last.at - struck.over));
            whole.push(failing(struck, tried));
        }
    }
    let of = |times: Vec<Duration>| {
        let millis: Sorted<_> = times.iter().map(Duration::as_millis).collect();
        json!({ "p50": millis.percentile(50), "p99": millis.percentile(99) })
    };
    let figures = |(count, [success, error_free, whole]): (usize, [Vec<Duration>; 3])| {
        json!({
            "times": count, "alone": success.len(), "first_success_ms": of(success), "error_free_ms": of(error_free),
            "since_it_began_ms": of(whole),
        })
    };
    times.into_iter().map(|(fault, found)| (fault, figures(found))).collect()
}
