//! Parsers for durations in whole days, minutes or seconds.

use chrono::TimeDelta;

pub(super) fn days(text: &str) -> Result<TimeDelta, String> {
    parse(text, TimeDelta::try_days)
}

pub(super) fn days_or_none(text: &str) -> Result<TimeDelta, String> {
    if text == "0" { Ok(TimeDelta::zero()) } else { days(text) }
}

pub(super) fn minutes(text: &str) -> Result<TimeDelta, String> {
    parse(text, TimeDelta::try_minutes)
}

pub(super) fn seconds(text: &str) -> Result<TimeDelta, String> {
    parse(text, TimeDelta::try_seconds)
}

fn parse(text: &str, duration: impl Fn(i64) -> Option<TimeDelta>) -> Result<TimeDelta, String> {
    let number = text.parse().map_err(|_| "must be a whole number".to_owned())?;
    duration(number).filter(|time| *time > TimeDelta::zero()).ok_or_else(|| "must be at least 1".to_owned())
}
