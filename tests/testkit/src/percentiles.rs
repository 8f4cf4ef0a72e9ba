//! Percentiles of measured values.

use std::{fmt, time::Duration};

/// Values in ascending order.
#[derive(Debug)]
pub struct Percentiles<T>(Vec<T>);

impl<T: Copy> Percentiles<T> {
    /// The nearest-rank percentile: the smallest value that at least this many percent of all values do not exceed. The 99th
    /// percentile of fewer than 100 values is the largest. `None` without values.
    pub fn percentile(&self, percent: usize) -> Option<T> {
        let rank = (self.0.len() * percent).div_ceil(100);
        self.0.get(rank.saturating_sub(1)).copied()
    }

    /// The number of values.
    #[must_use]
    pub fn count(&self) -> usize {
        self.0.len()
    }
}

impl fmt::Display for Percentiles<Duration> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [p50, p99, max] = [50, 99, 100].map(|percent| self.percentile(percent).unwrap_or_default());
        write!(f, "p50 {p50:.1?}, p99 {p99:.1?}, max {max:.1?}")
    }
}

impl<T: Ord> FromIterator<T> for Percentiles<T> {
    fn from_iter<I: IntoIterator<Item = T>>(values: I) -> Self {
        let mut values: Vec<_> = values.into_iter().collect();
        values.sort_unstable();
        Self(values)
    }
}
