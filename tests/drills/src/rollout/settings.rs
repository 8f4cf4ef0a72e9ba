//! The options of the rollouts.

use std::time::Duration;

use clap::Args;

#[derive(Args)]
pub struct RolloutSettings {
    /// How many cells (accounts that act one request after the other) use the site
    #[arg(long, default_value_t = 12)]
    pub(super) cells: usize,

    /// How many seconds the load runs after each restart
    #[arg(long, default_value_t = 8.0)]
    pause: f64,

    /// The seed of all random decisions
    #[arg(long, default_value_t = 1)]
    pub(super) seed: u64,
}

impl RolloutSettings {
    pub(super) fn pause(&self) -> Duration {
        Duration::try_from_secs_f64(self.pause).unwrap_or_default()
    }
}
