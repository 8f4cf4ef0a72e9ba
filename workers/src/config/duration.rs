//! Parsers for durations in whole days or minutes.

use std::ops::RangeInclusive;

use chrono::TimeDelta;

/// The longest duration in days: a hundred years. Postgres and the clock of a process can add it to every date.
const MAX_DAYS: i64 = 36_500;

pub(super) fn days(text: &str) -> Result<TimeDelta, String> {
    parse(text, 1..=MAX_DAYS).map(TimeDelta::days)
}

pub(super) fn days_or_none(text: &str) -> Result<TimeDelta, String> {
    parse(text, 0..=MAX_DAYS).map(TimeDelta::days)
}

pub(super) fn minutes(text: &str) -> Result<TimeDelta, String> {
    parse(text, 1..=MAX_DAYS * 24 * 60).map(TimeDelta::minutes)
}

fn parse(text: &str, range: RangeInclusive<i64>) -> Result<i64, String> {
    let number = text.parse().ok().filter(|number| range.contains(number));
    number.ok_or_else(|| format!("must be a whole number from {} to {}", range.start(), range.end()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_have_a_range() {
        assert_eq!(days("36500"), Ok(TimeDelta::days(36_500)));
        assert_eq!(days_or_none("0"), Ok(TimeDelta::zero()));
        assert_eq!(minutes("30"), Ok(TimeDelta::minutes(30)));
        for text in ["0", "-1", "36501", "200000000000", "99999999999999999999", "1.5", ""] {
            assert_eq!(days(text), Err("must be a whole number from 1 to 36500".to_owned()), "{text}");
        }
        assert!(minutes("9223372036854775807").is_err());
    }
}
