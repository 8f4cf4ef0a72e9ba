//! Work that is due at a time.

use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use guildhall_common::{
    cache::Key,
    news::{news_key, post_key},
};
use serde::{Deserialize, Serialize};
use sqlx::{PgConnection, types::Json};
use tokio::time::sleep;

use crate::Site;

const LOOK_EVERY: Duration = Duration::from_millis(500);

/// What there is to do, with its wire name. A changed job is a new variant.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "name")]
pub enum Job {
    /// The time of a post has come.
    #[serde(rename = "announce_post")]
    AnnouncePost { post_id: i64 },
    #[serde(rename = "purge_operations")]
    PurgeOperations,
    #[serde(rename = "purge_invites")]
    PurgeInvites,
    #[serde(rename = "purge_sessions")]
    PurgeSessions,
}

impl Job {
    const RECURRING: [Self; 3] = [Self::PurgeOperations, Self::PurgeInvites, Self::PurgeSessions];

    /// After how long it is due again.
    fn recurs(&self) -> Option<TimeDelta> {
        Self::RECURRING.contains(self).then(|| TimeDelta::hours(1))
    }
}

/// Makes a job due; one that waits already is moved to the new time.
///
/// # Errors
/// The database's.
pub async fn schedule(database: &mut PgConnection, job: &Job, due_at: DateTime<Utc>) -> sqlx::Result<()> {
    sqlx::query!(
        "insert into jobs (job, due_at) values ($1, $2) on conflict (job) do update set due_at = excluded.due_at",
        Json(job) as _,
        due_at,
    )
    .execute(database)
    .await?;
    Ok(())
}

/// Makes sure that what recurs is scheduled at all.
pub(crate) async fn schedule_recurring(database: &mut PgConnection) -> sqlx::Result<()> {
    for job in Job::RECURRING {
        sqlx::query!(
            "insert into jobs (job, due_at) values ($1, now()) on conflict (job) do nothing",
            Json(&job) as _
        )
        .execute(&mut *database)
        .await?;
    }
    Ok(())
}

/// Does what is due until told to stop.
pub(crate) async fn work(site: Site) {
    while !site.stop.is_cancelled() {
        match work_once(&site).await {
            Ok(true) => {}
            Ok(false) => {
                site.stop.run_until_cancelled(sleep(LOOK_EVERY)).await;
            }
            Err(error) => {
                tracing::warn!(error = format!("{error:#}"), "a job failed");
                site.stop.run_until_cancelled(sleep(LOOK_EVERY * 4)).await;
            }
        }
    }
}

/// Does one job, if one is due; whether it did.
async fn work_once(site: &Site) -> anyhow::Result<bool> {
    let now = Utc::now();
    let mut transaction = site.database.begin().await?;
    let due = sqlx::query!(
        r#"select job_id, job as "job: Json<Job>" from jobs where due_at <= $1
           order by due_at limit 1 for update skip locked"#,
        now,
    )
    .fetch_optional(&mut *transaction)
    .await?;
    let Some(due) = due else {
        return Ok(false);
    };
    let stale = run(site, &mut transaction, &due.job.0, now).await?;
    match due.job.recurs() {
        Some(pause) => {
            sqlx::query!("update jobs set due_at = $2 where job_id = $1", due.job_id, now + pause)
                .execute(&mut *transaction)
                .await?;
        }
        None => {
            sqlx::query!("delete from jobs where job_id = $1", due.job_id).execute(&mut *transaction).await?;
        }
    }
    transaction.commit().await?;
    site.cache.settle(&site.database, &stale).await?;
    Ok(true)
}

/// The work itself; answers what it made stale.
async fn run(
    site: &Site,
    database: &mut PgConnection,
    job: &Job,
    now: DateTime<Utc>,
) -> sqlx::Result<Vec<Key>> {
    match job {
        Job::AnnouncePost { post_id } => announce_post(database, *post_id, now).await,
        Job::PurgeOperations => {
            sqlx::query!("delete from operations where applied_at < $1", now - site.settings.operations_kept)
                .execute(database)
                .await?;
            Ok(vec![])
        }
        Job::PurgeInvites => {
            sqlx::query!("delete from guild_invites where expires_at < $1", now).execute(database).await?;
            Ok(vec![])
        }
        Job::PurgeSessions => {
            sqlx::query!("delete from refresh_tokens where expires_at < $1", now)
                .execute(&mut *database)
                .await?;
            sqlx::query!(
                "delete from sessions where not exists
                 (select from refresh_tokens where refresh_tokens.session_id = sessions.session_id)"
            )
            .execute(database)
            .await?;
            Ok(vec![])
        }
    }
}

/// Tells of a post once, when it can be seen; from then on the lists show it.
async fn announce_post(
    database: &mut PgConnection,
    post_id: i64,
    now: DateTime<Utc>,
) -> sqlx::Result<Vec<Key>> {
    let announced = sqlx::query!(
        "with announced as (
             update posts set announced_at = $2
             where post_id = $1 and not hidden and published_at <= $2 and announced_at is null
             returning post_id, title, slug, published_at
         )
         insert into outbox (topic, payload) select 'news.published', to_jsonb(announced) from announced",
        post_id,
        now,
    )
    .execute(database)
    .await?;
    if announced.rows_affected() == 0 {
        return Ok(vec![]);
    }
    Ok(vec![news_key(), post_key(post_id)])
}
