//! Work that is due at a time.

use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use guildhall_common::{
    cache::Key,
    news::{news_key, post_key},
};
use serde::{Deserialize, Serialize};
use sqlx::{PgConnection, types::Json};
use tokio::time::{sleep, timeout};

use crate::Site;

const LOOK_EVERY: Duration = Duration::from_millis(500);

/// How long a job that was begun, or that failed, is left alone.
const LEASE: TimeDelta = TimeDelta::seconds(30);

/// A job that takes longer is given up.
const WORK_WITHIN: Duration = Duration::from_secs(20);

/// Rows purged at a time.
const SLICE: i64 = 5000;

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

/// Locks a job's row, if there is one, for a rule that will schedule it.
///
/// # Errors
/// The database's.
pub(crate) async fn lock(database: &mut PgConnection, job: &Job) -> sqlx::Result<()> {
    sqlx::query!("select from jobs where job = $1 for update", Json(job) as _).execute(database).await?;
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
        match timeout(WORK_WITHIN, work_once(&site)).await.map_err(Into::into).flatten() {
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

/// Does one job, if one is due; whether it did. The row stays, leased, until the cache has
/// been told: a worker that dies in between leaves the rest to the next.
async fn work_once(site: &Site) -> anyhow::Result<bool> {
    let mut transaction = site.database.begin().await?;
    let due = sqlx::query!(
        r#"select job_id, job as "job: Json<Job>", now() as "now!" from jobs where due_at <= now()
           order by due_at limit 1 for update skip locked"#,
    )
    .fetch_optional(&mut *transaction)
    .await?;
    let Some(due) = due else {
        return Ok(false);
    };
    let (job, leased) = (due.job.0, due.now + LEASE);
    sqlx::query!("update jobs set due_at = $2 where job_id = $1", due.job_id, leased)
        .execute(&mut *transaction)
        .await?;
    let done = match run(site, &mut transaction, &job, due.now).await {
        Ok(done) => done,
        Err(error) => {
            transaction.rollback().await?;
            // Later, so that it does not hold up all others.
            sqlx::query!("update jobs set due_at = $2 where job_id = $1", due.job_id, leased)
                .execute(&site.database)
                .await?;
            return Err(anyhow::Error::from(error).context(format!("{job:?}")));
        }
    };
    transaction.commit().await?;
    site.cache.settle(&site.database, &done.stale).await?;
    let again = if done.more { Some(due.now) } else { job.recurs().map(|pause| due.now + pause) };
    // Unless somebody has given it another time meanwhile.
    sqlx::query!(
        "with over as (delete from jobs where job_id = $1 and due_at = $2 and $3::timestamptz is null)
         update jobs set due_at = $3 where job_id = $1 and due_at = $2 and $3::timestamptz is not null",
        due.job_id,
        leased,
        again,
    )
    .execute(&site.database)
    .await?;
    Ok(true)
}

/// What came of a job.
#[derive(Default)]
struct Done {
    stale: Vec<Key>,
    /// There is more of the same to do.
    more: bool,
}

async fn run(site: &Site, database: &mut PgConnection, job: &Job, now: DateTime<Utc>) -> sqlx::Result<Done> {
    match job {
        Job::AnnouncePost { post_id } => announce_post(database, *post_id, now).await,
        Job::PurgeOperations => {
            let purged = sqlx::query!(
                "delete from operations where operation_id in
                 (select operation_id from operations where applied_at < $1 order by applied_at limit $2)",
                now - site.settings.operations_kept,
                SLICE,
            )
            .execute(database)
            .await?;
            Ok(Done { more: purged.rows_affected() == SLICE as u64, ..Done::default() })
        }
        Job::PurgeInvites => {
            sqlx::query!(
                "delete from guild_invites where (guild_id, character_id) in
                 (select guild_id, character_id from guild_invites where expires_at < $1 for update skip locked)",
                now,
            )
            .execute(database)
            .await?;
            Ok(Done::default())
        }
        Job::PurgeSessions => {
            let purged = sqlx::query!(
                "delete from refresh_tokens where token_hash in
                 (select token_hash from refresh_tokens where expires_at < $1 order by expires_at limit $2)",
                now,
                SLICE,
            )
            .execute(&mut *database)
            .await?;
            sqlx::query!(
                "delete from sessions where created_at < $1 and not exists
                 (select from refresh_tokens where refresh_tokens.session_id = sessions.session_id)",
                now - TimeDelta::days(1),
            )
            .execute(database)
            .await?;
            Ok(Done { more: purged.rows_affected() == SLICE as u64, ..Done::default() })
        }
    }
}

/// Tells of a post once, when it can be seen; from then on the lists show it.
async fn announce_post(database: &mut PgConnection, post_id: i64, now: DateTime<Utc>) -> sqlx::Result<Done> {
    sqlx::query!(
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
    Ok(Done { stale: vec![news_key(), post_key(post_id)], more: false })
}
