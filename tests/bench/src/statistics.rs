//! The median and the spread of the values of all rounds.

use serde::Serialize;

/// The median, the smallest and the largest of some values.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub(crate) struct Spread {
    pub(crate) median: f64,
    pub(crate) min: f64,
    pub(crate) max: f64,
}

impl Spread {
    /// The spread of these values. None without values.
    pub(crate) fn of(values: &[f64]) -> Option<Self> {
        let mut sorted = values.to_vec();
        sorted.sort_by(f64::total_cmp);
        let (min, max) = (*sorted.first()?, *sorted.last()?);
        let middle = sorted.len() / 2;
        let median = if sorted.len() % 2 == 1 {
            sorted[middle]
        } else {
            f64::midpoint(sorted[middle - 1], sorted[middle])
        };
        Some(Self { median, min, max })
    }

    /// The distance from the smallest to the largest value, as a part of the median.
    pub(crate) fn variation(&self) -> f64 {
        if self.max == self.min { 0.0 } else { (self.max - self.min) / self.median }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn median_is_the_middle_value_or_the_mean_of_the_two_middle_values() {
        assert_eq!(Spread::of(&[3.0, 1.0, 2.0]), Some(Spread { median: 2.0, min: 1.0, max: 3.0 }));
        assert_eq!(Spread::of(&[4.0, 1.0, 2.0, 3.0]), Some(Spread { median: 2.5, min: 1.0, max: 4.0 }));
        assert_eq!(Spread::of(&[]), None);
    }

    #[test]
    fn variation_is_relative_to_the_median() {
        let variation = |values: &[f64]| Spread::of(values).unwrap().variation();
        assert_eq!(variation(&[90.0, 100.0, 110.0]), 0.2);
        assert_eq!(variation(&[0.0, 0.0]), 0.0);
        assert_eq!(variation(&[5.0]), 0.0);
    }
}
