//! Scheduling of jobs.

use chrono::{DateTime, Utc};
use serde_json::json;
use sqlx::{PgConnection, types::Json};

use crate::engine::{
    jobs::{
        job::{Job, Stored},
        kinds::JobKinds,
    },
    trail::Trail,
};

/// Schedules a job. If it is already scheduled, it moves to the new time.
///
/// # Errors
/// Those of the database.
pub(crate) async fn schedule<J: Job>(
    database: &mut PgConnection,
    job: &J,
    due_at: DateTime<Utc>,
) -> sqlx::Result<()> {
    schedule_all(database, std::slice::from_ref(job), due_at).await
}

/// Schedules many jobs of one kind in one statement.
///
/// # Errors
/// Those of the database.
pub(crate) async fn schedule_all<J: Job>(
    database: &mut PgConnection,
    jobs: &[J],
    due_at: DateTime<Utc>,
) -> sqlx::Result<()> {
    let jobs: Vec<_> = jobs.iter().map(|job| Json(Stored::of(job))).collect();
    sqlx::query!(
        "insert into jobs (job, due_at, trail, lane)
         select job, $2, $3, $4 from unnest($1::jsonb[]) as jobs (job) order by job
         on conflict (job) do update
         set due_at = excluded.due_at, attempts = 0, trail = coalesce(excluded.trail, jobs.trail)",
        &jobs as _,
        due_at,
        Trail::current().map(Json) as _,
        J::LANE as _,
    )
    .execute(database)
    .await?;
    Ok(())
}

/// Schedules the recurring jobs that are missing.
///
/// # Errors
/// Those of the database.
pub(crate) async fn schedule_recurring(database: &mut PgConnection, kinds: &JobKinds) -> sqlx::Result<()> {
    let jobs: Vec<_> = kinds.recurring().map(|name| json!({ "name": name })).collect();
    sqlx::query!(
        "insert into jobs (job, due_at)
         select job, now() from unnest($1::jsonb[]) as jobs (job) on conflict (job) do nothing",
        &jobs,
    )
    .execute(database)
    .await?;
    Ok(())
}
