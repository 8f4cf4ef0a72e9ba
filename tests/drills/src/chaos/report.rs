//! The report of a drill: violations and figures.

use std::time::Duration;

use anyhow::ensure;
use serde_json::{Value, json};

use super::{
    evidence,
    fault::Fault,
    injected_fault::InjectedFault,
    lost_sessions,
    monitors::Monitors,
    recovery::{RecoveryLimits, figures_by_fault},
    settings::ChaosSettings,
    site::ChaosSite,
};
use crate::{
    journal::Attempt,
    panics::take_uncaught,
    process::{Part, Process},
    stack::Stack,
};

/// A longer attempt hangs, apart from the requested wait and the time in which an api was frozen. The api responds within
/// 20 s: 15 s, and 5 s of waiting for an outcome. A busy machine may take 10 s more.
const HANG_TIME_LIMIT: Duration = Duration::from_secs(30);

/// A drill of this length lets each process live long enough to show growth.
const GROWTH_DURATION: Duration = Duration::from_secs(30 * 60);

/// The number of violations with evidence.
const EVIDENCE_COUNT: usize = 10;

#[derive(Default)]
pub(super) struct Report {
    faults: Vec<InjectedFault>,
    violations: Vec<String>,
    /// The lines of evidence for the first violations.
    evidence: Vec<String>,
}

impl Report {
    pub(super) fn add_fault(&mut self, fault: InjectedFault) {
        self.faults.push(fault);
    }

    /// The number of times that this fault was injected.
    pub(super) fn count(&self, fault: Fault) -> usize {
        self.faults.iter().filter(|injected| injected.fault == fault).count()
    }

    /// Prints and records a violation, with evidence.
    pub(super) async fn add_violation(&mut self, site: &ChaosSite, violation: String) {
        println!("\n{violation}");
        site.journal.write(&json!({ "violation": violation }));
        if self.violations.len() < EVIDENCE_COUNT {
            let evidence = evidence::collect(site, &violation).await;
            evidence.iter().for_each(|line| println!("    {line}"));
            self.evidence.extend(evidence);
        }
        self.violations.push(violation);
    }

    pub(super) async fn add_violations(
        &mut self,
        site: &ChaosSite,
        violations: impl IntoIterator<Item = String>,
    ) {
        for violation in violations {
            self.add_violation(site, violation).await;
        }
    }

    /// Judges the whole run, and prints and writes the figures.
    ///
    /// # Errors
    /// When there are violations.
    pub(super) async fn finish(
        mut self,
        site: &ChaosSite,
        monitors: &Monitors,
        environment: Value,
        settings: &ChaosSettings,
    ) -> anyhow::Result<()> {
        self.add_violations(site, take_uncaught()).await;
        let attempts = site.journal.attempts();
        let lost_sessions = lost_sessions::violations(&site.journal.early_refusals(), &self.faults);
        self.add_violations(site, lost_sessions).await;
        let limits = RecoveryLimits::measure(&self.faults, &attempts);
        let hung: Vec<_> = attempts.iter().filter(|attempt| self.hangs(attempt)).collect();
        self.add_violations(site, hung.into_iter().map(|attempt| format!("hung: {attempt:?}"))).await;
        self.add_violations(site, monitors.exceeded()).await;
        // In a few minutes, the speed of the machine and the order of the faults change these figures more than a defect does.
        let unsteady = [limits.violations(&self.faults, &attempts), monitors.changed()].concat();
        if settings.short {
            unsteady.iter().for_each(|line| println!("not judged in a short drill: {line}"));
        } else {
            self.add_violations(site, unsteady).await;
        }
        // A drill of few kinds of faults may end processes all the time.
        if settings.only.is_none() && settings.duration() >= GROWTH_DURATION {
            self.add_violations(site, monitors.unjudged(site)).await;
        }
        let mut figures = environment;
        for part in [self.figures(site, &attempts), limits.figures(), monitors.figures()] {
            for (name, figure) in part.as_object().into_iter().flatten() {
                figures[name] = figure.clone();
            }
        }
        figures["by_fault"] = figures_by_fault(&self.faults, &attempts);
        println!("{figures:#}");
        if let Some(file) = &settings.json {
            std::fs::write(file, format!("{figures:#}\n"))?;
        }
        // Again after the figures: the start of a long log may be cut off.
        let first: Vec<_> = self.violations.iter().take(EVIDENCE_COUNT).map(String::as_str).collect();
        ensure!(first.is_empty(), "{} violations, first:\n{}", self.violations.len(), first.join("\n"));
        Ok(())
    }

    #[cfg(test)]
    pub(super) fn violations(&self) -> &[String] {
        &self.violations
    }

    #[cfg(test)]
    pub(super) fn evidence(&self) -> &[String] {
        &self.evidence
    }

    fn figures(&self, site: &ChaosSite, attempts: &[Attempt]) -> Value {
        let count = |kind: &str| self.violations.iter().filter(|it| it.starts_with(kind)).count();
        let outcomes = site.journal.outcomes();
        let longest = attempts.iter().map(|it| it.duration().saturating_sub(self.frozen_time(it))).max();
        json!({
            "seconds": site.journal.now().as_secs(),
            "slowness": site.journal.slowness(),
            "requests": attempts.len(),
            "completed_requests": site.journal.completed_requests(),
            "longest_attempt_ms": longest.unwrap_or_default().as_millis(),
            "operations": outcomes.len(),
            "applied": outcomes.values().filter(|reported| reported.outcome.is_ok()).count(),
            "refused": outcomes.values().filter(|reported| reported.outcome.is_err()).count(),
            "faults": self.faults.len(),
            "lost": count("lost"),
            "duplicated": count("duplicated"),
            "stale": count("stale"),
            "hung": count("hung"),
            "violations": self.violations.len(),
        })
    }

    fn hangs(&self, attempt: &Attempt) -> bool {
        attempt.duration() > HANG_TIME_LIMIT + attempt.requested_wait + self.frozen_time(attempt)
    }

    /// The time in which an api was frozen during this attempt.
    fn frozen_time(&self, attempt: &Attempt) -> Duration {
        let freezes = self.faults.iter().filter(|injected| injected.fault == Fault::Freeze(Part::Api));
        freezes
            .map(|freeze| freeze.ended.min(attempt.ended).saturating_sub(freeze.started.max(attempt.started)))
            .sum()
    }
}

/// The command, the versions and the processes of this drill.
///
/// # Errors
/// When a server does not show its version.
pub(super) async fn describe_environment(site: &ChaosSite, seed: u64) -> anyhow::Result<Value> {
    let postgres: String = sqlx::query_scalar("show server_version").fetch_one(&site.database).await?;
    let date: String = sqlx::query_scalar("select current_date::text").fetch_one(&site.database).await?;
    let rabbitmq = site.stack.dev(&["part", "rabbitmqctl", "version"]).await?;
    // "Redis server v=7.0.15 sha=…"
    let redis = Stack::run("redis-server", &["--version"]).await?;
    let redis = redis.split_whitespace().find_map(|word| word.strip_prefix("v="));
    // Only a clone has a commit.
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
        "seed": seed,
    }))
}
