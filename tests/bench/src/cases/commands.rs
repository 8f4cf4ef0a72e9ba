//! Commands, with and without a wait for their outcome.

use std::time::Duration;

use chrono::{DateTime, Utc};
use sqlx::PgPool;

use super::guild_plan::{GuildChange, GuildPlan};
use crate::{
    case::{Case, CaseOptions, CaseResult},
    load::verify::verify,
    site::{BenchSite, Leader},
};

/// The clients of a case, and the keys of its measures.
pub(crate) struct WaitedCommands {
    pub(crate) case: &'static str,
    pub(crate) change: GuildChange,
    pub(crate) clients: usize,
    /// The keys of the rate, the median and the 99th percentile.
    pub(crate) keys: [&'static str; 3],
}

impl WaitedCommands {
    pub(super) const W64: Self = Self::motd(64, ["waited-64", "waited-64-p50", "waited-64-p99"]);
    pub(super) const W16: Self = Self::motd(16, ["waited-16", "waited-16-p50", "waited-16-p99"]);
    pub(super) const W1: Self = Self::motd(1, ["waited-1", "waited-1-p50", "waited-1-p99"]);
    pub(super) const RANKS: Self = Self::ranks(["ranks", "ranks-p50", "ranks-p99"]);
    const ONE_ACCOUNT: Self = Self::motd(64, ["one-account", "one-account-p50", "one-account-p99"]);

    /// Changes of the message of the day. The key of the rate is the name of the case.
    pub(crate) const fn motd(clients: usize, keys: [&'static str; 3]) -> Self {
        Self { case: keys[0], change: GuildChange::Motd, clients, keys }
    }

    /// Changes of ranks by 64 clients.
    pub(crate) const fn ranks(keys: [&'static str; 3]) -> Self {
        Self { case: keys[0], change: GuildChange::Rank, clients: 64, keys }
    }

    /// Each client waits for the outcome of its command before it sends the next one.
    ///
    /// # Errors
    /// When a command fails or is lost.
    pub(crate) async fn run(&self, site: &BenchSite, options: CaseOptions) -> anyhow::Result<CaseResult> {
        self.run_with(site, options, &site.leaders).await
    }

    async fn run_with(
        &self,
        site: &BenchSite,
        options: CaseOptions,
        leaders: &[Leader],
    ) -> anyhow::Result<CaseResult> {
        let plan = GuildPlan::new(self.change, leaders, self.clients);
        let result = options.load(self.clients).run(site.http.address(), plan.calls()).await?;
        verify(site, self.case, &result.entries).await?;
        plan.check(&site.database, &result.entries).await?;
        Ok(CaseResult::of_load(&result, self.keys))
    }
}

/// Commands of one account, which is the vice-leader of all guilds.
pub(super) async fn one_account(site: &BenchSite, options: CaseOptions) -> anyhow::Result<CaseResult> {
    let leaders =
        site.leaders.iter().map(|leader| Leader { token: site.collector.clone(), ..leader.clone() });
    WaitedCommands::ONE_ACCOUNT.run_with(site, options, &leaders.collect::<Vec<_>>()).await
}

/// Commands whose clients do not wait for the outcome. The commands that are applied in the same time are counted.
pub(super) async fn respond_async(site: &BenchSite, options: CaseOptions) -> anyhow::Result<CaseResult> {
    const CLIENTS: usize = 64;
    let started_at = database_time(&site.database).await?;
    let plan = GuildPlan::new(GuildChange::Motd, &site.leaders, CLIENTS).respond_async();
    let result = options.load(CLIENTS).run(site.http.address(), plan.calls()).await?;
    // Afterwards the clients only repeat their last requests.
    let duration = Duration::from_secs(options.seconds);
    let ended_at = started_at + duration;
    verify(site, Case::Async.name(), &result.entries).await?;
    plan.check(&site.database, &result.entries).await?;
    let applied: i64 = sqlx::query_scalar(
        "select count(*) from operations where applied_at >= $1 and applied_at < $2 and command = 'guild.change_motd'",
    )
    .bind(started_at)
    .bind(ended_at)
    .fetch_one(&site.database)
    .await?;
    let in_time = result.entries.iter().filter(|entry| entry.is_success() && entry.ended() <= duration);
    let accepted = in_time.count();
    let turned_away: u32 = result.entries.iter().map(|entry| entry.turned_away).sum();
    let seconds = duration.as_secs_f64();
    Ok(CaseResult {
        operations: result.entries.iter().filter(|entry| entry.is_success()).count() as u64,
        figures: vec![
            ("commands-applied", applied as f64 / seconds),
            ("commands-accepted", accepted as f64 / seconds),
            ("commands-backlog", accepted as f64 - applied as f64),
            ("commands-turned-away", f64::from(turned_away) / seconds),
        ],
    })
}

/// The clock of Postgres, which writes the times of operations.
async fn database_time(database: &PgPool) -> sqlx::Result<DateTime<Utc>> {
    sqlx::query_scalar("select clock_timestamp()").fetch_one(database).await
}
