//! The options of the drill.

use std::{path::PathBuf, time::Duration};

use clap::Args;

#[derive(Args)]
pub struct ChaosSettings {
    /// How many minutes faults are injected
    #[arg(long, default_value_t = 30.0)]
    minutes: f64,

    /// Inject each fault once, which takes about three minutes, and do not judge recovery times
    #[arg(long, conflicts_with = "minutes")]
    pub(super) short: bool,

    /// Inject only faults whose names contain this text: "kill", "cut rabbitmq"
    #[arg(long)]
    pub(super) only: Option<String>,

    /// Run three nodes of RabbitMQ, two apis behind a proxy and two workers, instead of one of each
    #[arg(long)]
    cluster: bool,

    /// The seed of all random decisions
    #[arg(long, default_value_t = 1)]
    pub(super) seed: u64,

    /// How many groups (cells) of three players use the site
    #[arg(long, default_value_t = 96)]
    pub(super) cells: usize,

    /// How many requests the players send in a second, approximately
    #[arg(long, default_value_t = 1000)]
    pub(super) rate: u32,

    /// Write the report as JSON to this file
    #[arg(long)]
    pub(super) json: Option<PathBuf>,
}

impl ChaosSettings {
    /// The time in which faults are injected. Each fault is injected once even if that takes longer.
    pub(super) fn duration(&self) -> Duration {
        let minutes = if self.short { 0.0 } else { self.minutes };
        Duration::try_from_secs_f64(minutes * 60.0).unwrap_or_default()
    }

    /// The delay between two actions of a player group: an action is about three requests.
    pub(super) fn action_interval(&self) -> Duration {
        Duration::from_secs(3).mul_f64(self.cells as f64 / f64::from(self.rate.max(1)))
    }
}
