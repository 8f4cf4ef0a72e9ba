//! A pass over a provider's list of some days. It reads one slice per attempt of its job and stores its progress, so it ends however
//! long the list is.

use chrono::{DateTime, TimeDelta, Utc};

use crate::{
    app::App,
    engine::jobs::NextRun,
    payments::transfer_list::{DELAY, ListedProvider, SHORTEST_WINDOW, TransferList},
    providers::TimeWindow,
};

/// A pass over the end of a list.
pub(super) struct ListPass {
    pub(super) list: TransferList,
    /// How far the pass goes back.
    pub(super) period: TimeDelta,
    pub(super) longest_slice: TimeDelta,
}

impl ListPass {
    /// Reads the next slice. A slice that could not be read is shorter the next time.
    pub(super) async fn read_slice(&self, app: &App, listed: &ListedProvider<'_>) -> anyhow::Result<NextRun> {
        let progress = sqlx::query!(
            r#"select clock_timestamp() as "now!", read_to as "read_to?", slice_seconds as "slice_seconds?"
               from (select) as one left join payment_list_passes on provider = $1 and list = $2"#,
            listed.provider.name(),
            self.list.name(),
        )
        .fetch_one(&app.database)
        .await?;
        let end = progress.now - DELAY;
        let length = progress.slice_seconds.map_or(self.longest_slice, TimeDelta::seconds);
        let start = end - self.period;
        let from = progress.read_to.map_or(start, |read_to| read_to.clamp(start, end));
        let slice = TimeWindow { from, to: end.min(from + length) };
        match listed.read(app, self.list, slice, progress.now).await {
            Ok(read_to) => {
                let next = Some(read_to).filter(|read_to| *read_to < end);
                self.save_progress(app, listed, next, (length * 2).min(self.longest_slice)).await?;
                Ok(if next.is_some() { NextRun::After(TimeDelta::zero()) } else { NextRun::Done })
            }
            Err(error) => {
                self.save_progress(app, listed, Some(from), (length / 2).max(SHORTEST_WINDOW)).await?;
                Err(error)
            }
        }
    }

    async fn save_progress(
        &self,
        app: &App,
        listed: &ListedProvider<'_>,
        read_to: Option<DateTime<Utc>>,
        next_length: TimeDelta,
    ) -> sqlx::Result<()> {
        sqlx::query!(
            "insert into payment_list_passes (provider, list, read_to, slice_seconds) values ($1, $2, $3, $4)
             on conflict (provider, list) do update
             set read_to = excluded.read_to, slice_seconds = excluded.slice_seconds",
            listed.provider.name(),
            self.list.name(),
            read_to,
            next_length.num_seconds(),
        )
        .execute(&app.database)
        .await?;
        Ok(())
    }
}
