//! The clock of the machine during the drill. A jump makes tokens, leases and jobs expire at a wrong time, so it explains
//! failures that are no defects of the site.

use std::time::{Duration, Instant, SystemTime};

use serde_json::{Value, json};
use sqlx::PgPool;
use tokio::time::sleep;

use super::site::ChaosSite;

const SAMPLE_INTERVAL: Duration = Duration::from_secs(1);

/// A larger difference between two clocks is a jump. A clock that is synchronized gently gains or loses 0.5 ms in a second.
const TOLERANCE_SECONDS: f64 = 0.5;

/// The times of one moment, in seconds.
#[derive(Debug, Clone, Copy)]
struct Sample {
    /// Since the start of the drill, by the monotonic clock.
    monotonic: f64,
    /// Since 1970, by the clock of the machine.
    wall: f64,
}

pub(super) struct ClockMonitor {
    started: Instant,
    last: Option<Sample>,
    samples: usize,
    violations: Vec<String>,
}

impl Default for ClockMonitor {
    fn default() -> Self {
        Self { started: Instant::now(), last: None, samples: 0, violations: vec![] }
    }
}

impl ClockMonitor {
    /// Takes samples until it is dropped.
    pub(super) async fn run(&mut self, site: &ChaosSite) {
        loop {
            let before = self.now();
            self.add(before);
            if let Some(postgres) = postgres_clock(&site.database).await {
                self.compare_with_postgres(before, postgres, self.now());
            }
            sleep(SAMPLE_INTERVAL).await;
        }
    }

    fn now(&self) -> Sample {
        let wall = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        Sample { monotonic: self.started.elapsed().as_secs_f64(), wall: wall.as_secs_f64() }
    }

    fn add(&mut self, sample: Sample) {
        self.samples += 1;
        let Some(last) = self.last.replace(sample) else { return };
        let jump = (sample.wall - last.wall) - (sample.monotonic - last.monotonic);
        if jump.abs() > TOLERANCE_SECONDS {
            self.violations.push(format!(
                "clock: the clock of the machine jumped by {jump:+.1} s after {:.0} s; this may explain other violations",
                last.monotonic
            ));
        }
    }

    /// Postgres reads its clock between the two samples.
    fn compare_with_postgres(&mut self, before: Sample, postgres: f64, after: Sample) {
        let difference = if postgres < before.wall { postgres - before.wall } else { postgres - after.wall };
        let is_between = (before.wall..=after.wall).contains(&postgres);
        if !is_between && difference.abs() > TOLERANCE_SECONDS {
            self.violations.push(format!(
                "clock: the clock of Postgres differs by {difference:+.1} s after {:.0} s; this may explain other violations",
                before.monotonic
            ));
        }
    }

    /// A line for each jump.
    pub(super) fn violations(&self) -> &[String] {
        &self.violations
    }

    pub(super) fn figures(&self) -> Value {
        json!({ "samples": self.samples, "jumps": self.violations.len() })
    }
}

/// The time of Postgres. `None` while a fault keeps it away.
async fn postgres_clock(database: &PgPool) -> Option<f64> {
    let query = sqlx::query_scalar("select extract(epoch from clock_timestamp())::float8");
    query.fetch_one(database).await.ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn monitor(samples: &[(f64, f64)]) -> ClockMonitor {
        let mut monitor = ClockMonitor::default();
        samples
            .iter()
            .for_each(|(monotonic, wall)| monitor.add(Sample { monotonic: *monotonic, wall: *wall }));
        monitor
    }

    #[test]
    fn jumps_of_the_machines_clock_are_reported() {
        assert!(monitor(&[(0.0, 100.0), (1.0, 101.0), (31.0, 131.2)]).violations().is_empty());
        let ahead = monitor(&[(0.0, 100.0), (1.0, 103.0), (2.0, 104.0)]);
        assert_eq!(
            ahead.violations(),
            ["clock: the clock of the machine jumped by +2.0 s after 0 s; this may explain other violations"]
        );
        assert_eq!(monitor(&[(0.0, 100.0), (1.0, 41.0)]).violations().len(), 1);
    }

    #[test]
    fn the_clock_of_postgres_is_compared() {
        let sample = |wall| Sample { monotonic: 5.0, wall };
        let mut monitor = ClockMonitor::default();
        // A slow response is no difference.
        monitor.compare_with_postgres(sample(100.0), 107.0, sample(110.0));
        monitor.compare_with_postgres(sample(100.0), 99.8, sample(100.1));
        assert!(monitor.violations().is_empty());
        monitor.compare_with_postgres(sample(100.0), 96.0, sample(100.1));
        assert!(
            monitor.violations()[0].starts_with("clock: the clock of Postgres differs by -4.0 s after 5 s")
        );
    }
}
