//! The cases: their names, their floors, and the result of one. `cases/` runs them.

use std::time::Duration;

use clap::ValueEnum;

use crate::{
    floor::Floor,
    load::{LoadPlan, LoadResult},
};

/// A case. Its name is an argument of `--cases`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, ValueEnum)]
pub(crate) enum Case {
    /// The view of one guild, from the cache
    GuildView,
    /// A page of 20 guilds, from the cache
    GuildList,
    /// A page of 20 offers, from the cache
    Offers,
    /// A page of 20 posts, from the cache
    News,
    /// The view of one guild that has not changed: 304
    NotModified,
    /// A path without a route: 404
    NoRoute,
    /// Commands with `Prefer: respond-async`, 64 clients
    Async,
    /// Commands whose outcome 64 clients wait for
    #[value(name = "waited-64")]
    Waited64,
    /// The same with 16 clients
    #[value(name = "waited-16")]
    Waited16,
    /// The same with one client
    #[value(name = "waited-1")]
    Waited1,
    /// The same with 64 clients of one account, which has 4,000 characters
    OneAccount,
    /// Changes of the ranks of members, which have statements of their own, 64 clients
    Ranks,
    /// Purchases, 64 clients
    Purchase,
    /// QR codes from the fake bank, 64 clients
    Qrcode,
    /// Payment notifications, 32 clients
    Webhook,
    /// Log-ins, 8 clients
    LogIn,
    /// 1,000 open event streams of one payment
    Streams,
    /// Cached reads at a fixed rate, without and with commands
    ReadsWithCommands,
}

/// The result of a case in one round.
#[derive(Debug, Default)]
pub(crate) struct CaseResult {
    /// The number of operations for which the processor time is reported. 0: it is not reported.
    pub(crate) operations: u64,
    pub(crate) figures: Vec<(&'static str, f64)>,
}

impl CaseResult {
    /// The rate, the median and the 99th percentile of a load.
    pub(crate) fn of_load(result: &LoadResult, [rate, p50, p99]: [&'static str; 3]) -> Self {
        Self {
            operations: result.succeeded().count() as u64,
            figures: vec![
                (rate, result.per_second()),
                (p50, result.percentile_ms(50)),
                (p99, result.percentile_ms(99)),
            ],
        }
    }
}

/// The options that all cases share.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CaseOptions {
    pub(crate) seconds: u64,
    /// Whether commands have an `Idempotency-Key`.
    pub(crate) has_keys: bool,
}

impl CaseOptions {
    /// As many requests as these clients can send in the time of a case.
    pub(crate) fn load(self, clients: usize) -> LoadPlan {
        let duration = Duration::from_secs(self.seconds);
        LoadPlan { clients, duration, per_second: None, has_keys: self.has_keys }
    }
}

impl Case {
    /// The name in `--cases`, and the key of the first measure.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::GuildView => "guild-view",
            Self::GuildList => "guild-list",
            Self::Offers => "offers",
            Self::News => "news",
            Self::NotModified => "not-modified",
            Self::NoRoute => "no-route",
            Self::Async => "async",
            Self::Waited64 => "waited-64",
            Self::Waited16 => "waited-16",
            Self::Waited1 => "waited-1",
            Self::OneAccount => "one-account",
            Self::Ranks => "ranks",
            Self::Purchase => "purchase",
            Self::Qrcode => "qrcode",
            Self::Webhook => "webhook",
            Self::LogIn => "log-in",
            Self::Streams => "streams",
            Self::ReadsWithCommands => "reads-with-commands",
        }
    }

    /// The floors that its measures are compared with.
    pub(crate) fn floors(self) -> &'static [Floor] {
        match self {
            Self::GuildView | Self::GuildList | Self::Offers | Self::News | Self::NotModified => {
                &[Floor::Redis]
            }
            Self::NoRoute => &[Floor::Http],
            Self::Waited64 => &[Floor::Postgres, Floor::Pipeline64],
            Self::Waited16 => &[Floor::Postgres, Floor::Pipeline16],
            Self::Async | Self::OneAccount => &[Floor::Postgres],
            Self::Ranks | Self::Purchase | Self::Qrcode | Self::Webhook => &[Floor::Postgres],
            Self::Waited1 => &[Floor::Transaction, Floor::Queue],
            Self::LogIn | Self::Streams | Self::ReadsWithCommands => &[],
        }
    }
}

/// The key of the processor time of a process in a case: seconds for 1,000 operations.
pub(crate) fn cpu_key(case: Case, process: &str) -> String {
    format!("cpu/{}/{process}", case.name())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_the_arguments_of_the_option() {
        for case in Case::value_variants() {
            let argument = case.to_possible_value().unwrap();
            assert_eq!(argument.get_name(), case.name());
        }
    }
}
