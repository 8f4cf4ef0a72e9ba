//! Values by their size.

use std::{fmt, time::Duration};

/// From the least to the greatest.
#[derive(Debug)]
pub(crate) struct Sorted<T>(Vec<T>);

impl<T: Copy> Sorted<T> {
    /// The least value that so many percent of all do not exceed: of a few, the 99th percentile is the greatest. Nothing when
    /// there are none.
    pub(crate) fn percentile(&self, percent: usize) -> Option<T> {
        let rank = (self.0.len() * percent).div_ceil(100);
        self.0.get(rank.saturating_sub(1)).copied()
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }
}

impl fmt::Display for Sorted<Duration> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [p50, p99, slowest] = [50, 99, 100].map(|percent| self.percentile(percent).unwrap_or_default());
        write!(f, "p50 {p50:.1?}, p99 {p99:.1?}, slowest {slowest:.1?}")
    }
}

impl<T: Ord> FromIterator<T> for Sorted<T> {
    fn from_iter<I: IntoIterator<Item = T>>(values: I) -> Self {
        let mut values: Vec<_> = values.into_iter().collect();
        values.sort_unstable();
        Self(values)
    }
}
