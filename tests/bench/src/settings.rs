//! The options of `./dev bench`.

use std::{str::FromStr, time::Duration};

use clap::{Args, ValueEnum};

use crate::{
    case::{Case, CaseOptions},
    report,
};

#[derive(Debug, Clone, Args)]
pub(crate) struct BenchSettings {
    /// The number of rounds. In each one, all floors and cases are measured in turn. A conclusion needs 5
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u64).range(1..=1000))]
    pub(crate) rounds: u64,

    /// The seconds of each floor and case in each round
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u64).range(1..=600))]
    pub(crate) seconds: u64,

    /// The cases to measure, separated by commas; all of them by default
    #[arg(long, value_enum, value_delimiter = ',')]
    cases: Vec<Case>,

    /// Send no Idempotency-Key with commands
    #[arg(long)]
    without_keys: bool,

    /// Compare large tables with small ones: 100,000 guilds, 1,000,000 characters, 50,000 posts, 1,000,000 payments and
    /// 10,000,000 operations
    #[arg(long, conflicts_with_all = ["cases", "delay"])]
    pub(crate) large: bool,

    /// The size of the large tables, as a fraction of that
    #[arg(long, requires = "large", value_parser = parse_scale, default_value = "1")]
    pub(crate) scale: f64,

    /// Compare with round trips to Postgres, RabbitMQ and Redis that take this many milliseconds more
    #[arg(long, value_name = "MS", conflicts_with = "cases")]
    pub(crate) delay: Option<Delay>,

    /// Compare one, two and four workers, each with a small share of a processor (Linux, as root)
    #[arg(long, conflicts_with_all = ["cases", "large", "delay"])]
    pub(crate) workers: bool,

    /// That share in percent of one processor
    #[arg(long, value_name = "PERCENT", requires = "workers", default_value = "15")]
    pub(crate) worker_share: ProcessorShare,

    /// Check the options and do nothing else. dev.d/bench.sh reads the scale of the large tables, which it fills
    #[arg(long, hide = true)]
    pub(crate) check_options: bool,

    #[command(flatten)]
    pub(crate) files: report::Files,
}

impl BenchSettings {
    pub(crate) fn options(&self) -> CaseOptions {
        CaseOptions { seconds: self.seconds, has_keys: !self.without_keys }
    }

    pub(crate) fn cases(&self) -> &[Case] {
        if self.cases.is_empty() { Case::value_variants() } else { &self.cases }
    }
}

fn parse_scale(text: &str) -> Result<f64, String> {
    let scale = text.parse().ok().filter(|scale| *scale > 0.0 && *scale <= 1.0);
    scale.ok_or_else(|| "it is a number above 0 and up to 1".to_owned())
}

/// The time that is added to each round trip.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Delay(pub(crate) Duration);

impl FromStr for Delay {
    type Err = String;

    /// Parses milliseconds: `1`, `1ms` or `0.5`.
    fn from_str(text: &str) -> Result<Self, String> {
        let number = text.strip_suffix("ms").unwrap_or(text).parse().ok();
        let milliseconds: Option<f64> = number.filter(|number| (0.0..=1000.0).contains(number));
        let milliseconds =
            milliseconds.ok_or("it is a number of milliseconds up to 1000, such as 1 or 0.5")?;
        Ok(Self(Duration::from_secs_f64(milliseconds / 1000.0)))
    }
}

/// A share of one processor.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct ProcessorShare(pub(crate) f64);

impl FromStr for ProcessorShare {
    type Err = String;

    /// Parses percent: `15` or `15%`.
    fn from_str(text: &str) -> Result<Self, String> {
        let number = text.strip_suffix('%').unwrap_or(text).parse().ok();
        let percent: Option<f64> = number.filter(|percent| (5.0..=100.0).contains(percent));
        let percent = percent.ok_or("it is a number of percent from 5 to 100")?;
        Ok(Self(percent / 100.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn processor_share_is_a_percentage() {
        assert_eq!("15".parse(), Ok(ProcessorShare(0.15)));
        assert_eq!("100%".parse(), Ok(ProcessorShare(1.0)));
        for wrong in ["", "0", "101", "NaN"] {
            assert!(wrong.parse::<ProcessorShare>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn delay_is_a_number_of_milliseconds() {
        assert_eq!("1".parse(), Ok(Delay(Duration::from_millis(1))));
        assert_eq!("1ms".parse(), Ok(Delay(Duration::from_millis(1))));
        assert_eq!("0.5".parse(), Ok(Delay(Duration::from_micros(500))));
        for wrong in ["", "ms", "-1", "2000", "NaN"] {
            assert!(wrong.parse::<Delay>().is_err(), "{wrong}");
        }
    }
}
