//! Recovery times, and their limits in proportion to the speed of the same run without faults.

use std::{collections::BTreeMap, time::Duration};

use guildhall_testkit::percentiles::Percentiles;
use serde_json::{Value, json};

use super::injected_fault::InjectedFault;
use crate::{journal::Attempt, process::Part};

/// Before each fault the site has been without failures for this long. Changes of these periods are the undisturbed ones.
pub(super) const QUIET_PERIOD: Duration = Duration::from_millis(1250);

/// A recovery may take this many times the median of an undisturbed change, in addition to the fixed waits. It covers the
/// work of a recovery: new connections with their handshakes, and the commands that were queued during the fault.
const WORK_FACTOR: u32 = 10;

/// The waits of a recovery that do not depend on the speed of the machine.
fn fixed_waits(part: Part) -> Duration {
    Duration::from_secs(match part {
        // A request waits up to 1 s for a publisher that is not connected, and polls its operation every second.
        Part::Api => 2,
        // The leases of a dead worker end after 5 s, and other workers look for them every second. Then as for the api.
        Part::Workers => 8,
        // A request waits up to 3 s for a connection of the pool, and the backoff of a worker grows to 2 s.
        Part::Postgres => 5,
        // The cache lease of 2 s, a connection timeout of 1 s, and a backoff of up to 2 s.
        Part::Redis => 5,
        // The circuit breaker of the bank's client opens for 1 s, and two retries wait up to 2 s each.
        Part::Sandbox => 5,
        // A publish waits 4 s for its confirm, a connection attempt 5 s for a node that boots, and 1 s for the next one.
        Part::Rabbitmq => 10,
        // No request waits for a mail.
        Part::Postfix => 0,
    })
}

/// Limits of the recovery times of one run.
pub(super) struct RecoveryLimits {
    undisturbed: Percentiles<Duration>,
}

impl RecoveryLimits {
    /// Measures the undisturbed changes of a run.
    pub(super) fn measure(faults: &[InjectedFault], attempts: &[Attempt]) -> Self {
        let quiet = faults.iter().filter(|fault| fault.is_followed_by_quiet(attempts)).flat_map(|fault| {
            let from = fault.next_started.saturating_sub(QUIET_PERIOD);
            between(from, fault.next_started, attempts).filter(|it| it.is_first_change)
        });
        Self { undisturbed: quiet.map(Attempt::duration).collect() }
    }

    pub(super) fn limit(&self, part: Part) -> Duration {
        fixed_waits(part) + self.undisturbed.percentile(50).unwrap_or_default() * WORK_FACTOR
    }

    /// A violation for each fault without a successful change, or with failures, after the limit.
    pub(super) fn violations(&self, faults: &[InjectedFault], attempts: &[Attempt]) -> Vec<String> {
        let mut violations = Vec::new();
        for fault in faults.iter().filter(|fault| fault.is_alone) {
            let (name, end, limit) = (fault.fault.name(), fault.all_ended, self.limit(fault.fault.part()));
            let change = fault.first_change(attempts);
            if change > limit {
                violations.push(format!(
                    "slow: {name} at {end:.1?}: the first change succeeded after {change:.1?} (limit {limit:.1?})"
                ));
            }
            if let Some(last) = fault.last_failure(attempts).filter(|last| last.ended - end > limit) {
                let (time, key) = (last.ended - end, last.key);
                violations.push(format!(
                    "slow: {name} at {end:.1?}: the last failure came after {time:.1?} (limit {limit:.1?}), key {key}"
                ));
            }
        }
        violations
    }

    pub(super) fn figures(&self) -> Value {
        let limits: serde_json::Map<_, _> = Part::ALL
            .into_iter()
            .map(|part| (part.name().to_owned(), json!(self.limit(part).as_millis())))
            .collect();
        json!({
            "undisturbed_changes": self.undisturbed.count(),
            "undisturbed_change_ms": percentiles_ms(&self.undisturbed),
            "recovery_limits_ms": limits,
        })
    }
}

impl InjectedFault {
    /// Whether the next fault waited until nothing failed any more.
    fn is_followed_by_quiet(&self, attempts: &[Attempt]) -> bool {
        let from = self.next_started.saturating_sub(QUIET_PERIOD);
        from > self.all_ended && between(from, self.next_started, attempts).all(|attempt| attempt.is_success)
    }

    /// The time from the end of the fault to the first success of a change that was sent since then.
    fn first_change(&self, attempts: &[Attempt]) -> Duration {
        let first = self.sent_afterwards(attempts).find(|it| it.is_success && it.is_first_change);
        first.map_or(self.next_started, |it| it.ended) - self.all_ended
    }

    /// The last failure of a request that was sent after the end of the fault. An earlier one may still fail at its time limit.
    fn last_failure<'a>(&'a self, attempts: &'a [Attempt]) -> Option<&'a Attempt> {
        self.sent_afterwards(attempts).filter(|it| !it.is_success).last()
    }

    fn sent_afterwards<'a>(&'a self, attempts: &'a [Attempt]) -> impl Iterator<Item = &'a Attempt> {
        between(self.all_ended, self.next_started, attempts).filter(|it| it.started >= self.all_ended)
    }

    /// The time from the start of the fault to the last failure of any request.
    fn outage(&self, attempts: &[Attempt]) -> Duration {
        let last = between(self.started, self.next_started, attempts).filter(|it| !it.is_success).last();
        last.map_or(Duration::ZERO, |last| last.ended - self.started)
    }
}

/// The attempts that ended in this period.
fn between(from: Duration, until: Duration, attempts: &[Attempt]) -> impl Iterator<Item = &Attempt> {
    // The attempts are ordered by their end.
    let first = attempts.partition_point(|it| it.ended <= from);
    attempts[first..].iter().take_while(move |it| it.ended < until)
}

/// The number and the recovery times of each fault. Times count faults that were alone.
pub(super) fn figures_by_fault(faults: &[InjectedFault], attempts: &[Attempt]) -> Value {
    let mut times: BTreeMap<String, (usize, [Vec<Duration>; 3])> = BTreeMap::new();
    for fault in faults {
        let (count, [changes, failures, outages]) = times.entry(fault.fault.name()).or_default();
        *count += 1;
        if fault.is_alone {
            changes.push(fault.first_change(attempts));
            let last = fault.last_failure(attempts);
            failures.push(last.map_or(Duration::ZERO, |last| last.ended - fault.all_ended));
            outages.push(fault.outage(attempts));
        }
    }
    let figures = |(count, [changes, failures, outages]): (usize, [Vec<Duration>; 3])| {
        let alone = changes.len();
        let [changes, failures, outages] =
            [changes, failures, outages].map(|times| percentiles_ms(&times.into_iter().collect()));
        json!({
            "times": count, "alone": alone, "first_success_ms": changes, "error_free_ms": failures,
            "outage_ms": outages,
        })
    };
    times.into_iter().map(|(fault, found)| (fault, figures(found))).collect()
}

fn percentiles_ms(times: &Percentiles<Duration>) -> Value {
    let [p50, p99] = [50, 99].map(|percent| times.percentile(percent).map(|time| time.as_millis()));
    json!({ "p50": p50, "p99": p99 })
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;
    use crate::chaos::fault::Fault;

    fn change(started: u64, ended: u64, is_success: bool) -> Attempt {
        Attempt {
            key: Uuid::nil(),
            started: Duration::from_millis(started),
            ended: Duration::from_millis(ended),
            requested_wait: Duration::ZERO,
            status: Some(if is_success { 200 } else { 503 }),
            is_success,
            is_first_change: is_success,
        }
    }

    fn fault(ended: u64, next_started: u64) -> InjectedFault {
        let [ended, next_started] = [ended, next_started].map(Duration::from_millis);
        InjectedFault {
            fault: Fault::Cut(Part::Postgres),
            is_alone: true,
            started: ended,
            ended,
            all_ended: ended,
            next_started,
        }
    }

    /// A fault that ends at 10 s and is followed by failures until the given time, and then by changes of one duration.
    fn run(last_failure: u64, change_duration: u64) -> (Vec<InjectedFault>, Vec<Attempt>) {
        let mut attempts = vec![change(10_050, last_failure, false)];
        for ended in (last_failure + 10..last_failure + 1500).step_by(10) {
            attempts.push(change(ended - change_duration, ended, true));
        }
        (vec![fault(10_000, last_failure + 1400)], attempts)
    }

    #[test]
    fn a_recovery_may_take_the_fixed_waits_on_a_fast_machine() {
        let (faults, attempts) = run(15_100, 40);
        let limits = RecoveryLimits::measure(&faults, &attempts);
        assert_eq!(limits.limit(Part::Postgres), Duration::from_millis(5400));
        assert_eq!(limits.limit(Part::Api), Duration::from_millis(2400));
        assert!(limits.violations(&faults, &attempts).is_empty());
        let (faults, attempts) = run(17_200, 40);
        let violations = RecoveryLimits::measure(&faults, &attempts).violations(&faults, &attempts);
        assert!(violations[0].contains("the first change succeeded after 7.2s"), "{violations:?}");
        assert!(violations[1].contains("the last failure came after 7.2s"), "{violations:?}");
    }

    #[test]
    fn a_recovery_may_take_longer_on_a_slow_machine() {
        let (faults, attempts) = run(17_200, 600);
        let limits = RecoveryLimits::measure(&faults, &attempts);
        assert_eq!(limits.limit(Part::Postgres), Duration::from_secs(11));
        assert!(limits.violations(&faults, &attempts).is_empty());
    }

    #[test]
    fn changes_during_failures_are_not_undisturbed() {
        let (mut faults, attempts) = run(15_100, 600);
        faults[0].next_started = Duration::from_millis(16_000);
        let limits = RecoveryLimits::measure(&faults, &attempts);
        assert_eq!(limits.limit(Part::Postgres), Duration::from_secs(5));
    }
}
