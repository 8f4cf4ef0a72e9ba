//! The job that deletes old mails.

use chrono::TimeDelta;
use serde::{Deserialize, Serialize};

use crate::{
    app::App,
    engine::jobs::{Job, MAX_PURGED, NextRun},
    mail::kind::MailKind,
};

/// Deletes expired tokens of mails, last mails to deleted accounts that could not be sent, and mails that were sent or discarded long ago.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct PurgeMails {}

impl Job for PurgeMails {
    const NAME: &'static str = "purge_mails";
    const INTERVAL: Option<TimeDelta> = Some(TimeDelta::hours(1));

    async fn run(&self, app: &App) -> anyhow::Result<NextRun> {
        let tokens = sqlx::query!(
            "delete from mail_tokens where token_hash in
             (select token_hash from mail_tokens where expires_at < now() order by expires_at limit $1)",
            MAX_PURGED,
        );
        let tokens = tokens.execute(&app.database).await?.rows_affected();
        let unsent = sqlx::query!(
            "delete from mails where mail_id in
             (select mail_id from mails where kind = $1 and expires_at < now() order by expires_at limit $2)",
            MailKind::DeletionDone.name(),
            MAX_PURGED,
        );
        let unsent = unsent.execute(&app.database).await?.rows_affected();
        let ended = sqlx::query!(
            "delete from mails where mail_id in
             (select mail_id from mails where state in ('sent', 'discarded') and ended_at < now() - $1::interval
                  and not exists (select from mail_tokens where mail_tokens.mail_id = mails.mail_id)
              order by ended_at limit $2)",
            app.settings.retention.operations as _,
            MAX_PURGED,
        );
        let ended = ended.execute(&app.database).await?.rows_affected();
        Ok(NextRun::after_purge(tokens.max(unsent).max(ended)))
    }
}
