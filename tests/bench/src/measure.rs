//! The measures of the report: their names, units and baselines, in one table.

use crate::{case::Case, floor::Floor};

/// The unit of a measure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unit {
    PerSecond,
    Milliseconds,
    Megabytes,
    Count,
}

/// A line of the report.
pub(crate) struct Measure {
    /// The name of the measure in the code and in the JSON report.
    pub(crate) key: &'static str,
    pub(crate) title: &'static str,
    pub(crate) unit: Unit,
    /// The measures whose sum this one is divided by, within each round.
    pub(crate) baseline: &'static [&'static str],
    pub(crate) goals: Option<Goals>,
}

/// The goals of a measure, for its ratio or, without a baseline, for its value.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Goals {
    pub(crate) goal: f64,
    /// A better one, if it costs little.
    pub(crate) stretch: Option<f64>,
}

impl Measure {
    const fn goal(mut self, goal: f64) -> Self {
        self.goals = Some(Goals { goal, stretch: None });
        self
    }

    const fn goals(mut self, goal: f64, stretch: f64) -> Self {
        self.goals = Some(Goals { goal, stretch: Some(stretch) });
        self
    }
}

impl Unit {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::PerSecond => "1/s",
            Self::Milliseconds => "ms",
            Self::Megabytes => "MB",
            Self::Count => "",
        }
    }
}

const fn measure(
    key: &'static str,
    title: &'static str,
    unit: Unit,
    baseline: &'static [&'static str],
) -> Measure {
    Measure { key, title, unit, baseline, goals: None }
}

use Unit::{Count, Megabytes, Milliseconds, PerSecond};

const HTTP: &[&str] = &[Floor::Http.key()];
const REDIS: &[&str] = &[Floor::Redis.key()];
const POSTGRES: &[&str] = &[Floor::Postgres.key()];
/// What one waited command needs at least: a message there, a transaction, and a message back.
const ONE_COMMAND: &[&str] = &[Floor::Queue.key(), Floor::Transaction.key()];

/// All measures in the order of the report.
pub(crate) const MEASURES: &[Measure] = &[
    measure(Floor::Http.key(), "floor (a): poem, fixed body", PerSecond, &[]),
    measure(Floor::Redis.key(), "floor (b): poem, one GET from Redis", PerSecond, &[]),
    measure(Floor::Postgres.key(), "floor (c): transactions, 8 connections", PerSecond, &[]),
    measure(Floor::Transaction.key(), "floor (c1): one transaction, p50", Milliseconds, &[]),
    measure(Floor::Queue.key(), "floor (d): publish, quorum queue, reply, p50", Milliseconds, &[]),
    measure(Floor::Pipeline64.key(), "floor (e): queues and transactions, 64 clients", PerSecond, POSTGRES),
    measure(Floor::Pipeline16.key(), "floor (e16): the same with 16 clients", PerSecond, POSTGRES),
    measure(Case::GuildView.name(), "cached guild view", PerSecond, REDIS).goals(0.70, 0.90),
    measure(Case::GuildList.name(), "cached guild list", PerSecond, REDIS).goals(0.70, 0.90),
    measure(Case::Offers.name(), "cached offers", PerSecond, REDIS).goals(0.70, 0.90),
    measure(Case::News.name(), "cached news", PerSecond, REDIS).goals(0.70, 0.90),
    measure(Case::NotModified.name(), "304 (If-None-Match)", PerSecond, REDIS).goals(0.75, 0.95),
    measure(Case::NoRoute.name(), "404 of no route", PerSecond, HTTP).goals(0.60, 0.75),
    measure("commands-applied", "commands applied, respond-async, 64 clients", PerSecond, POSTGRES)
        .goals(0.7, 1.2),
    measure("commands-accepted", "… accepted in the same time", PerSecond, POSTGRES),
    measure("commands-backlog", "… not applied at the end of that time", Count, &[]),
    measure("commands-turned-away", "… answered 503 in the same time", PerSecond, &[]),
    measure("waited-64", "waited commands, 64 clients", PerSecond, POSTGRES).goals(0.7, 1.1),
    measure("waited-64-p50", "… p50", Milliseconds, &[]),
    measure("waited-64-p99", "… p99", Milliseconds, &[]),
    measure("waited-16", "waited commands, 16 clients", PerSecond, POSTGRES).goals(0.5, 0.8),
    measure("waited-16-p50", "… p50", Milliseconds, &[]),
    measure("waited-16-p99", "… p99", Milliseconds, &[]),
    measure("waited-1", "waited commands, 1 client", PerSecond, &[]),
    measure("waited-1-p50", "… p50", Milliseconds, ONE_COMMAND).goals(1.5, 1.2),
    measure("waited-1-p99", "… p99", Milliseconds, &[]),
    measure(
        "one-account",
        "waited commands of one account with 4,000 characters, 64 clients",
        PerSecond,
        POSTGRES,
    ),
    measure("one-account-p50", "… p50", Milliseconds, &[]),
    measure("one-account-p99", "… p99", Milliseconds, &[]),
    measure("ranks", "changes of ranks, 64 clients", PerSecond, POSTGRES),
    measure("ranks-p50", "… p50", Milliseconds, &[]),
    measure("ranks-p99", "… p99", Milliseconds, &[]),
    measure("purchase", "purchases, 64 clients", PerSecond, POSTGRES),
    measure("purchase-p50", "… p50", Milliseconds, &[]),
    measure("purchase-p99", "… p99", Milliseconds, &[]),
    measure("qrcode", "QR codes from the fake bank, 64 clients", PerSecond, POSTGRES),
    measure("qrcode-p50", "… p50", Milliseconds, &[]),
    measure("qrcode-p99", "… p99", Milliseconds, &[]),
    measure("webhook", "notifications, 32 clients", PerSecond, POSTGRES),
    measure("webhook-p50", "… p50", Milliseconds, &[]),
    measure("webhook-p99", "… p99", Milliseconds, &[]),
    measure("log-in", "log-ins, 8 clients", PerSecond, &[]),
    measure("log-in-p50", "… p50", Milliseconds, &[]),
    measure("log-in-p99", "… p99", Milliseconds, &[]),
    measure("streams-last", "1,000 event streams: a change until the last event", Milliseconds, &[]),
    measure("streams-median", "… until the median event", Milliseconds, &[]),
    measure("reads-alone-p99", "500 cached reads per second, p99", Milliseconds, &[]),
    measure(
        "reads-with-commands-p99",
        "… while commands are applied, p99",
        Milliseconds,
        &["reads-alone-p99"],
    )
    .goal(1.5),
    measure("reads-with-commands-rate", "… commands applied (1,000 wanted)", PerSecond, &[]),
    measure("start-api", "api: start to ready", Milliseconds, &[]),
    measure("start-workers", "workers: start to ready", Milliseconds, &[]),
    measure("idle-memory-api", "api: idle memory", Megabytes, &[]),
    measure("idle-memory-workers", "workers: idle memory", Megabytes, &[]),
    measure("memory-api", "api: memory after load", Megabytes, &[]),
    measure("memory-workers", "workers: memory after load", Megabytes, &[]),
    measure("memory-both", "api and workers: memory after load", Megabytes, &[]).goals(80.0, 50.0),
    measure("heap-api", "api: heap after load (RssAnon)", Megabytes, &[]),
    measure("heap-workers", "workers: heap after load (RssAnon)", Megabytes, &[]),
    measure("direct-64", "waited commands, 64 clients, direct", PerSecond, &[]),
    measure("delayed-64", "waited commands, 64 clients, each round trip delayed", PerSecond, &["direct-64"])
        .goal(0.5),
    measure("direct-64-p50", "… p50, direct", Milliseconds, &[]),
    measure("delayed-64-p50", "… p50, delayed", Milliseconds, &["direct-64-p50"]),
    measure("direct-1-p50", "waited command, 1 client, p50, direct", Milliseconds, &[]),
    measure("delayed-1-p50", "waited command, 1 client, p50, delayed", Milliseconds, &["direct-1-p50"]),
    measure("direct-ranks", "changes of ranks, 64 clients, direct", PerSecond, &[]),
    measure("delayed-ranks", "changes of ranks, 64 clients, delayed", PerSecond, &["direct-ranks"]),
    measure("direct-purchase", "purchases, 64 clients, direct", PerSecond, &[]),
    measure("delayed-purchase", "purchases, 64 clients, delayed", PerSecond, &["direct-purchase"]),
    measure("limited-1", "waited commands, 64 clients, 1 limited worker", PerSecond, &[]),
    measure("limited-2", "… 2 limited workers", PerSecond, &["limited-1"]).goal(1.7),
    measure("limited-4", "… 4 limited workers", PerSecond, &["limited-1"]).goal(3.0),
    measure("unlimited-1", "… 1 worker without a limit", PerSecond, &[]),
    measure("unlimited-2", "… 2 workers without a limit", PerSecond, &["unlimited-1"]).goal(1.0),
    measure("round-trip-direct", "PING of Redis, direct", Milliseconds, &[]),
    measure("round-trip-delayed", "PING of Redis, delayed", Milliseconds, &[]),
];

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn keys_are_unique_and_baselines_are_measures() {
        let keys: HashSet<_> = MEASURES.iter().map(|measure| measure.key).collect();
        assert_eq!(keys.len(), MEASURES.len());
        assert!(MEASURES.iter().flat_map(|measure| measure.baseline).all(|key| keys.contains(key)));
    }
}
