//! The job that deletes expired invites.

use chrono::TimeDelta;
use serde::{Deserialize, Serialize};

use crate::{
    app::App,
    engine::jobs::{Job, MAX_PURGED, NextRun},
};

/// Deletes expired invites to guilds.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct PurgeInvites {}

impl Job for PurgeInvites {
    const NAME: &'static str = "purge_invites";
    const INTERVAL: Option<TimeDelta> = Some(TimeDelta::hours(1));

    async fn run(&self, app: &App) -> anyhow::Result<NextRun> {
        let purged = sqlx::query!(
            "delete from guild_invites where (guild_id, character_id) in
             (select guild_id, character_id from guild_invites
              where expires_at < now() order by expires_at limit $1 for update skip locked)",
            MAX_PURGED,
        )
        .execute(&app.database)
        .await?;
        Ok(NextRun::after_purge(purged.rows_affected()))
    }
}
