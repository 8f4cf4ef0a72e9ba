//! Finds transfers without a notification: jobs compare the lists of each provider with the records.

use chrono::{DateTime, TimeDelta, Utc};
use serde::{Deserialize, Serialize};

use crate::{
    app::App,
    engine::jobs::{Job, NextRun},
    payments::{
        list_pass::ListPass,
        transfer_list::{DELAY, ListedProvider, SHORTEST_WINDOW, TransferList},
    },
    providers::TimeWindow,
};

/// How far a window goes back before the end of the previous one, so that a transfer that the provider lists late is found as well.
const OVERLAP: TimeDelta = TimeDelta::minutes(10);

/// The longest window. After an outage of days, the job catches up window by window.
const LONGEST_WINDOW: TimeDelta = TimeDelta::hours(6);

/// How far the first window goes back.
const FIRST_WINDOW: TimeDelta = TimeDelta::days(1);

/// The receipts of the last two days: a provider may list one hours late.
const LATE_RECEIPTS: ListPass = ListPass {
    list: TransferList::Receipts,
    period: TimeDelta::hours(48),
    longest_slice: TimeDelta::hours(6),
};

/// Finds receipts since the last window.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct ReconcileReceipts {}

impl Job for ReconcileReceipts {
    const NAME: &'static str = "reconcile";
    const INTERVAL: Option<TimeDelta> = Some(TimeDelta::minutes(1));

    async fn run(&self, app: &App) -> anyhow::Result<NextRun> {
        let mut result = Ok(NextRun::Done);
        for listed in ListedProvider::all(app) {
            result = combine(result, read_new_receipts(app, &listed).await);
        }
        result
    }
}

/// Finds receipts that the provider has listed after their window was read.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct ReconcileLateReceipts {}

impl Job for ReconcileLateReceipts {
    const NAME: &'static str = "reconcile_late_receipts";
    const INTERVAL: Option<TimeDelta> = Some(TimeDelta::hours(3));

    async fn run(&self, app: &App) -> anyhow::Result<NextRun> {
        let mut result = Ok(NextRun::Done);
        for listed in ListedProvider::all(app) {
            result = combine(result, LATE_RECEIPTS.read_slice(app, &listed).await);
        }
        result
    }
}

/// Finds refunds of receipts within the provider's refund period.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct ReconcileRefunds {}

impl Job for ReconcileRefunds {
    const NAME: &'static str = "reconcile_returns";
    const INTERVAL: Option<TimeDelta> = Some(TimeDelta::hours(6));

    async fn run(&self, app: &App) -> anyhow::Result<NextRun> {
        let mut result = Ok(NextRun::Done);
        for listed in ListedProvider::all(app) {
            let pass = ListPass {
                list: TransferList::Refunds,
                period: listed.refund_period,
                longest_slice: TimeDelta::days(3),
            };
            result = combine(result, pass.read_slice(app, &listed).await);
        }
        result
    }
}

/// The result of a job for several providers. One that fails does not stop the others, and the job is retried for it.
fn combine(all: anyhow::Result<NextRun>, next: anyhow::Result<NextRun>) -> anyhow::Result<NextRun> {
    match next? {
        NextRun::Done => all,
        more => all.map(|_| more),
    }
}

/// Reads the next window of new receipts. A window that could not be read is shorter the next time: a provider may refuse or not
/// complete a long list.
async fn read_new_receipts(app: &App, listed: &ListedProvider<'_>) -> anyhow::Result<NextRun> {
    let progress = sqlx::query!(
        r#"select clock_timestamp() as "now!", reconciled_to as "reconciled_to?", window_seconds as "window_seconds?"
           from (select) as one left join payment_progress on provider = $1"#,
        listed.provider.name(),
    )
    .fetch_one(&app.database)
    .await?;
    let end = progress.now - DELAY;
    let length = progress.window_seconds.map_or(LONGEST_WINDOW, TimeDelta::seconds);
    let reconciled_to = progress.reconciled_to.unwrap_or(end - FIRST_WINDOW);
    let from = reconciled_to - OVERLAP;
    let window = TimeWindow { from, to: end.min(from + length).max(from) };
    match listed.read(app, TransferList::Receipts, window, progress.now).await {
        Ok(read_to) => {
            save_progress(app, listed, read_to, (length * 2).min(LONGEST_WINDOW)).await?;
            Ok(if read_to < end { NextRun::After(TimeDelta::zero()) } else { NextRun::Done })
        }
        Err(error) => {
            save_progress(app, listed, reconciled_to, (length / 2).max(SHORTEST_WINDOW)).await?;
            Err(error)
        }
    }
}

/// The progress never goes back. The shortest window ends after the previous one, so each window makes progress.
async fn save_progress(
    app: &App,
    listed: &ListedProvider<'_>,
    reconciled_to: DateTime<Utc>,
    next_length: TimeDelta,
) -> sqlx::Result<()> {
    sqlx::query!(
        "insert into payment_progress (provider, reconciled_to, window_seconds) values ($1, $2, $3)
         on conflict (provider) do update
         set reconciled_to = greatest(payment_progress.reconciled_to, excluded.reconciled_to),
             window_seconds = excluded.window_seconds",
        listed.provider.name(),
        reconciled_to,
        next_length.num_seconds(),
    )
    .execute(&app.database)
    .await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shortest_window_makes_progress() {
        assert!(SHORTEST_WINDOW >= OVERLAP * 2);
    }
}
